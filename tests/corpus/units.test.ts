import fc from 'fast-check'
import { expect, test } from 'vitest'
import { vectorsByParent } from '../../src/corpus/dense/dense.ts'
import { openVectors } from '../../src/corpus/dense/vectors.ts'
import { bm25ByParent, createBm25, createLexicon } from '../../src/corpus/lexical/bm25.ts'
import { maskOf } from '../../src/ranking/mask.ts'
import { rankPairs } from '../../src/ranking/order.ts'
import { rowCount } from '../../src/tables/column.ts'
import { countTerms } from '../../src/text/term-counts.ts'
import type { Ranking } from '../../src/types.ts'
import { plainDot } from './plain-vectors.ts'

const DIMS = 3
/** Few distinct vectors, so that ties and zero rows are common. */
const vector = fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(-1, 0, 0.5, 1))).map((numbers) => {
  const length = Math.hypot(...numbers)
  return Float32Array.from(numbers, (x) => (length === 0 ? 0 : x / length))
})
/** Each chunk with its units. */
const corpus = fc.array(fc.array(vector, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 })

test('vectors: a chunk scores as its best unit, and every form of search agrees', () => {
  fc.assert(
    fc.property(corpus, vector, fc.integer({ min: 1, max: 8 }), (chunks, query, depth) => {
      const parents = Uint32Array.from(chunks.flatMap((units, row) => units.map(() => row)))
      const matrix = Float32Array.from(chunks.flat().flatMap((unit) => [...unit]))
      const index = vectorsByParent(openVectors(rowCount(matrix, DIMS), DIMS), parents)
      const isZero = (vector: Float32Array) => vector.every((x) => x === 0)
      const best = chunks.map((units) => {
        const cosinesOfUnits = units.filter((unit) => !isZero(unit)).map((unit) => plainDot(unit, query))
        return cosinesOfUnits.length > 0 ? Math.max(...cosinesOfUnits) : null
      })
      const withUnits = [...best.keys()].filter((row) => best[row] !== null)
      const rows = isZero(query) ? [] : withUnits
      const expected = rankPairs(
        rows,
        rows.map((row) => best[row] as number),
        depth,
      )
      expect(index.rows).toBe(chunks.length)
      expect(index.search([query], depth)).toEqual([expected])
      const scores = Float32Array.from(best, (score) => score ?? 0)
      expect(index.scores([query])[0].map((x) => x + 0)).toEqual(scores.map((x) => x + 0))
      const reversed = [...scores.keys()].reverse()
      expect(index.cosines(reversed, query).map((x) => x + 0)).toEqual(scores.map((x) => x + 0).reverse())
      expect(index.hasZeros()).toBe(withUnits.length < chunks.length)
      const [{ ranking, min }] = index.searchWithMin([query], depth)
      expect(ranking).toEqual(expected)
      if (rows.length > 0) expect(min + 0).toBe(Math.min(...rows.map((row) => scores[row])) + 0)
    }),
  )
})

test('vectors: a block of queries is searched in parts that hold few scores', () => {
  const parents = Uint32Array.of(0, 0, 1, 2)
  const matrix = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.6, 0.8, 0)
  const queries = [0, 1, 2, 0, 1].map((axis) =>
    Float32Array.from({ length: DIMS }, (_, i) => Number(i === axis)),
  )
  const sizes: number[] = []
  const units = openVectors(rowCount(matrix, DIMS), DIMS)
  const counted: typeof units = {
    ...units,
    scores(vectors) {
      sizes.push(vectors.length)
      return units.scores(vectors)
    },
  }
  const whole = vectorsByParent(units, parents)
  const inParts = vectorsByParent(counted, parents, 8)
  expect(inParts.searchWithMin(queries, 2)).toEqual(whole.searchWithMin(queries, 2))
  expect(inParts.scores(queries)).toEqual(whole.scores(queries))
  expect(sizes).toEqual([2, 2, 1, 2, 2, 1])
})

test('BM25: a chunk scores as its best unit', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'd')
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
  const split = (text: string) => text.split(' ').filter(Boolean)
  fc.assert(
    fc.property(
      fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 10 }),
      text,
      fc.integer({ min: 1, max: 6 }),
      (chunks, query, depth) => {
        const parents = Uint32Array.from(chunks.flatMap((units, row) => units.map(() => row)))
        const over = createBm25(createLexicon(countTerms(chunks.flat(), split), split), {
          k1: 0.9,
          b: 0.4,
          idf: 'lucene',
        })
        const ranking = over.search(query, parents.length)
        const best = new Map<number, number>()
        ranking.rows.forEach((unit, i) => {
          if (!best.has(parents[unit])) best.set(parents[unit], ranking.scores[i])
        })
        const expected = rankPairs([...best.keys()], [...best.values()], depth)
        expect(bm25ByParent(over, parents).search(query, depth)).toEqual(expected)
      },
    ),
  )
})

test('a mask of chunks leaves the units of these alone, in both indexes', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'd')
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
  const split = (text: string) => text.split(' ').filter(Boolean)
  const unit = fc.tuple(vector, text)
  const chunk = fc.tuple(fc.boolean(), fc.array(unit, { minLength: 1, maxLength: 4 }))
  const indexesOf = (chunks: readonly (readonly (readonly [Float32Array, string])[])[]) => {
    const parents = Uint32Array.from(chunks.flatMap((units, row) => units.map(() => row)))
    const matrix = Float32Array.from(chunks.flat().flatMap(([vector]) => [...vector]))
    const counts = countTerms(
      chunks.flat().map(([, text]) => text),
      split,
    )
    const bm25 = createBm25(createLexicon(counts, split), { k1: 0.9, b: 0.4, idf: 'lucene' })
    return {
      dense: vectorsByParent(openVectors(rowCount(matrix, DIMS), DIMS), parents),
      bm25: bm25ByParent(bm25, parents),
    }
  }
  fc.assert(
    fc.property(
      fc.array(chunk, { minLength: 1, maxLength: 30 }),
      unit,
      fc.nat(8),
      (world, [query, words], depth) => {
        const mask = maskOf(Uint8Array.from(world, ([isKept]) => Number(isKept)))
        const whole = indexesOf(world.map(([, units]) => units))
        const subset = indexesOf(world.flatMap(([isKept, units]) => (isKept ? [units] : [])))
        const placed = <R extends Pick<Ranking, 'rows'>>(ranking: R): R => ({
          ...ranking,
          rows: ranking.rows.map((row) => mask.rows[row]),
        })
        const within = mask
        expect(whole.dense.search([query], depth, { within })).toEqual(
          subset.dense.search([query], depth).map(placed),
        )
        const [{ ranking, min }] = subset.dense.searchWithMin([query], depth)
        expect(whole.dense.searchWithMin([query], depth, { within })).toEqual([
          { ranking: placed(ranking), min },
        ])
        expect(whole.dense.hasZeros(mask)).toBe(subset.dense.hasZeros())
        const lexical = placed(subset.bm25.searchWithExtremes(words, depth))
        expect(whole.bm25.alone(mask).searchWithExtremes(words, depth)).toEqual(lexical)
        expect(whole.bm25.alone(mask).scores(words, mask.rows)).toEqual(
          subset.bm25.scores(words, Uint32Array.from(mask.rows.keys())),
        )
        const all = whole.bm25.search(words, world.length)
        const { extremes, ...masked } = whole.bm25.searchWithExtremes(words, depth, mask)
        expect(masked).toEqual(whole.bm25.search(words, depth, mask.kept))
        expect([...masked.rows]).toEqual([...all.rows].filter((row) => mask.kept[row] === 1).slice(0, depth))
        const scores = [...whole.bm25.scores(words, mask.rows)].map((score) =>
          Number.isNaN(score) ? 0 : score,
        )
        if (scores.length > 0)
          expect(extremes).toEqual({ min: Math.min(...scores), max: Math.max(...scores) })
      },
    ),
  )
})
