import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { membersOf } from '../../../src/corpus/graph/csr.ts'
import { assembleTree, collapseNodes, lift, type SummaryLayer } from '../../../src/corpus/summaries/tree.ts'
import { maskOf } from '../../../src/ranking/mask.ts'
import { rankPairs } from '../../../src/ranking/order.ts'

/** Nine chunks; three summaries of three, and one of two of these: the third was not summarised again. */
const LAYERS: readonly SummaryLayer[] = [
  {
    texts: ['a', 'b', 'c'],
    tokens: [10, 20, 30],
    children: [
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
    ],
  },
  { texts: ['ab'], tokens: [5], children: [[0, 1]] },
]
const TREE = assembleTree(LAYERS, 9)

/** Numbers as cosines of float32 are. */
const cosine = fc.integer({ min: -64, max: 64 }).map((value) => Math.fround(value / 64))
const cosines = (length: number) => fc.array(cosine, { minLength: length, maxLength: length })
const ranked = (scores: readonly number[], depth = scores.length) =>
  rankPairs(
    scores.map((_, row) => row),
    scores,
    depth,
  )
const tokensOf = { chunk: (row: number) => row + 1, summary: (row: number) => TREE.summaries[row].tokens }

describe('the collapsed tree', () => {
  it('reads the best nodes of all layers up to the first that does not fit', () => {
    fc.assert(
      fc.property(
        cosines(9),
        cosines(4),
        fc.integer({ min: 1, max: 120 }),
        (cosinesOfRows, above, tokens) => {
          const nodes = [
            ...cosinesOfRows.map((score, row) => ({ score, row, tokens: row + 1, summary: false })),
            ...above.map((score, row) => ({ score, row, tokens: TREE.summaries[row].tokens, summary: true })),
          ]
          const expected: number[] = []
          let left = tokens
          while (nodes.length > 0) {
            const best = nodes.reduce((a, b) => {
              if (a.score !== b.score) return b.score > a.score ? b : a
              if (a.summary !== b.summary) return a.summary ? b : a
              return b.row > a.row ? b : a
            })
            nodes.splice(nodes.indexOf(best), 1)
            left -= best.tokens
            if (left < 0) break
            if (best.summary) expected.push(best.row)
          }
          const read = collapseNodes(ranked(cosinesOfRows), ranked(above), tokensOf, { tokens, isCut: false })
          expect([...read.rows]).toEqual(expected)
          expect([...read.scores]).toEqual(expected.map((row) => above[row]))
        },
      ),
    )
  })
})

describe('lifting chunks', () => {
  it('ranks by the best of their own cosine and the summaries above, then by their own', () => {
    fc.assert(
      fc.property(
        cosines(9),
        cosines(4),
        fc.uniqueArray(fc.integer({ min: 0, max: 3 })),
        fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
        fc.integer({ min: 1, max: 9 }),
        (cosinesOfRows, above, read, allowed, depth) => {
          const mask = maskOf(Uint8Array.from(allowed, Number))
          const rows = cosinesOfRows.map((_, row) => row).filter((row) => allowed[row])
          const flat = rankPairs(
            rows,
            rows.map((row) => cosinesOfRows[row]),
            depth,
          )
          const summaries = {
            rows: Uint32Array.from(read),
            scores: Float64Array.from(read, (row) => above[row]),
          }
          const lifted = lift(TREE, flat, summaries, (some) => some.map((row) => cosinesOfRows[row]), {
            depth,
            mask,
          })
          const best = (row: number) =>
            Math.max(
              cosinesOfRows[row],
              ...read
                .filter((summary) => membersOf(TREE.chunks, summary).includes(row))
                .map((summary) => above[summary]),
            )
          const met = rows.filter(
            (row) =>
              flat.rows.includes(row) ||
              read.some((summary) => membersOf(TREE.chunks, summary).includes(row)),
          )
          const expected = met.sort((a, b) => {
            const [first, second] = [best(a), best(b)]
            if (first !== second) return second - first
            return cosinesOfRows[b] - cosinesOfRows[a] || b - a
          })
          expect([...lifted.rows]).toEqual(expected.slice(0, depth))
        },
      ),
    )
  })
})
