import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBm25, createLexicon } from '../../src/corpus/lexical/bm25.ts'
import { maskOf } from '../../src/ranking/mask.ts'
import { countTerms } from '../../src/text/term-counts.ts'

const analyze = (text: string) => text.split(' ').filter((word) => word !== '')
const word = fc.constantFrom('ship', 'crew', 'storm', 'port', 'map', 'star', 'ice')
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
const params = fc.record({
  k1: fc.constantFrom(0, 0.9, 1.5),
  b: fc.constantFrom(0, 0.4, 1),
  idf: fc.constantFrom('lucene' as const, 'okapi' as const),
})

/** The formula as it is printed, chunk by chunk. */
function naive(texts: string[], query: string, { k1, b, idf }: { k1: number; b: number; idf: string }) {
  const docs = texts.map(analyze)
  const mean = docs.reduce((sum, doc) => sum + doc.length, 0) / docs.length
  const n = (term: string) => docs.filter((doc) => doc.includes(term)).length
  const raw = (term: string) => Math.log((docs.length - n(term) + 0.5) / (n(term) + 0.5))
  const vocabulary = [...new Set(docs.flat())]
  const meanIdf = vocabulary.reduce((sum, term) => sum + raw(term), 0) / vocabulary.length
  const weight = (term: string) => {
    if (idf === 'lucene') return Math.log(1 + (docs.length - n(term) + 0.5) / (n(term) + 0.5))
    return raw(term) < 0 ? 0.25 * meanIdf : raw(term)
  }
  return docs.flatMap((doc, row) => {
    const matching = analyze(query).filter((term) => doc.includes(term))
    if (matching.length === 0) return []
    const score = matching.reduce((sum, term) => {
      const tf = doc.filter((other) => other === term).length
      return sum + (weight(term) * tf * (k1 + 1)) / (tf + k1 * (1 - b + (b * doc.length) / mean))
    }, 0)
    return [{ row, score }]
  })
}

function index(texts: string[], p: { k1: number; b: number; idf: 'lucene' | 'okapi' }) {
  return createBm25(createLexicon(countTerms(texts, analyze), analyze), p)
}

describe('bm25', () => {
  it('scores as the printed formula, for what matches and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 20 }),
        fc.array(text, { maxLength: 3 }),
        params,
        (texts, queries, p) => {
          const bm25 = index(texts, p)
          for (const query of queries) {
            const expected = new Map(naive(texts, query, p).map(({ row, score }) => [row, score]))
            const { rows, scores } = bm25.search(query, 100)
            expect([...rows].sort()).toEqual([...expected.keys()].sort())
            rows.forEach((row, rank) => {
              expect(scores[rank]).toBeCloseTo(expected.get(row) as number, 9)
              if (rank > 0)
                expect(
                  scores[rank] < scores[rank - 1] ||
                    (scores[rank] === scores[rank - 1] && row < rows[rank - 1]),
                ).toBe(true)
            })
          }
        },
      ),
    )
  })

  it('is of some chunks alone what an index of these is, to the bit; okapi to the rounding of its mean', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.boolean()), { minLength: 1, maxLength: 20 }),
        fc.array(text, { maxLength: 3 }),
        params,
        fc.nat(20),
        (world, queries, p, depth) => {
          const mask = maskOf(Uint8Array.from(world, ([, isKept]) => (isKept ? 1 : 0)))
          const subset = index(
            world.map(([text]) => text),
            p,
          ).alone(mask)
          const expected = index(
            world.flatMap(([text, isKept]) => (isKept ? [text] : [])),
            p,
          )
          for (const query of queries) {
            const ranking = subset.searchWithExtremes(query, depth)
            const wanted = expected.searchWithExtremes(query, depth)
            if (p.idf === 'okapi') {
              expect([...ranking.scores].length).toBe(wanted.scores.length)
              ranking.scores.forEach((score, rank) => {
                expect(score).toBeCloseTo(wanted.scores[rank], 12)
              })
            } else {
              expect(ranking).toEqual({ ...wanted, rows: wanted.rows.map((row) => mask.rows[row]) })
              expect(subset.scores(query, mask.rows)).toEqual(
                expected.scores(query, Uint32Array.from(mask.rows.keys())),
              )
            }
          }
        },
      ),
    )
  })
})
