import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankPairs, rankScores } from '../../src/ranking/order.ts'

/** Few distinct values, so that ties are the rule; both zeros, which are equal. */
const score = fc.oneof(fc.constantFrom(0, -0, 1, 2, -1, Number.NEGATIVE_INFINITY), fc.double({ noNaN: true }))

function sorted(entries: [row: number, score: number][], depth: number) {
  const order = [...entries]
    .sort(([rowA, a], [rowB, b]) => b - a || (a === b ? rowB - rowA : 0))
    .slice(0, depth)
  return { rows: order.map(([row]) => row), scores: order.map(([, value]) => value + 0) }
}

const plain = ({ rows, scores }: { rows: Uint32Array; scores: Float64Array }) => ({
  rows: [...rows],
  scores: [...scores],
})

describe('rankScores', () => {
  it('puts higher scores first and, of equal ones, the higher row', () => {
    const ranking = rankScores(Float64Array.of(1, 3, 1, 2, 3), 4)
    expect([...ranking.rows]).toEqual([4, 1, 3, 2])
    expect([...ranking.scores]).toEqual([3, 3, 2, 1])
  })

  it('keeps only scores strictly above a bound, and rows within a mask', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(score, fc.boolean()), { maxLength: 40 }),
        fc.nat(50),
        score,
        (cells, depth, above) => {
          const scores = Float64Array.from(cells.map(([value]) => value))
          const mask = Uint8Array.from(cells.map(([, inside]) => (inside ? 1 : 0)))
          const entries = cells.flatMap(([value, inside], row): [number, number][] =>
            inside && (value > above || above === Number.NEGATIVE_INFINITY) ? [[row, value]] : [],
          )
          expect(plain(rankScores(scores, depth, { above, within: mask }))).toEqual(sorted(entries, depth))
        },
      ),
    )
  })
})

describe('rankPairs', () => {
  it('equals the head of a full sort, whatever order the pairs come in', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(1000), { maxLength: 300 }),
        fc.nat(310),
        fc.infiniteStream(score),
        (rows, depth, stream) => {
          const entries = rows.map((row): [number, number] => [row, stream.next().value])
          const ranking = rankPairs(
            rows,
            entries.map(([, value]) => value),
            depth,
          )
          expect(plain(ranking)).toEqual(sorted(entries, depth))
        },
      ),
    )
  })
})
