import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY_RANKING, head, rankPairs, rankScores } from '../../src/ranking/order.ts'

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

  it('equals the head of a full sort, for every depth', () => {
    fc.assert(
      fc.property(fc.array(score, { maxLength: 300 }), fc.nat(310), (scores, depth) => {
        const entries = scores.map((value, row): [number, number] => [row, value])
        expect(plain(rankScores(Float64Array.from(scores), depth))).toEqual(sorted(entries, depth))
      }),
    )
  })

  it('equals the head of a full sort where a few are kept of rising, falling, and wavy scores', () => {
    const n = 3000
    const shapes = [
      (i: number) => i,
      (i: number) => -i,
      (i: number) => i % 50,
      (i: number) => Math.min(i, n - i),
    ]
    for (const shape of [...shapes, Math.sin, () => 0]) {
      const scores = Float64Array.from({ length: n }, (_, row) => shape(row))
      const entries = Array.from(scores, (value, row): [number, number] => [row, value])
      const best = sorted(entries, 40)
      expect(plain(rankScores(scores, 40))).toEqual(best)
      expect(plain(rankPairs(Uint32Array.from(scores.keys()), scores, 40))).toEqual(best)
    }
  })

  it('keeps only scores strictly above a bound, and rows within a mask', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(score, fc.boolean()), { maxLength: 40 }),
        fc.nat(50),
        score,
        (cells, depth, above) => {
          const scores = Float64Array.from(cells.map(([value]) => value))
          const within = Uint8Array.from(cells.map(([, inside]) => (inside ? 1 : 0)))
          const entries = cells.flatMap(([value, inside], row): [number, number][] =>
            inside && (value > above || above === Number.NEGATIVE_INFINITY) ? [[row, value]] : [],
          )
          expect(plain(rankScores(scores, depth, { above, within }))).toEqual(sorted(entries, depth))
        },
      ),
    )
  })

  it('refuses NaN instead of ordering by chance', () => {
    expect(() => rankScores(Float64Array.of(1, Number.NaN), 2)).toThrow('row 1 has the score NaN')
    expect(() => rankScores(Float64Array.of(1, Number.NaN), 2, { above: 0 })).toThrow('NaN')
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

  it('refuses NaN, cut or whole', () => {
    for (const depth of [0, 1, 3])
      expect(() => rankPairs([7, 8, 9], [1, Number.NaN, 2], depth)).toThrow('row 8')
  })
})

describe('head', () => {
  it('cuts, and gives the same ranking where there is nothing to cut', () => {
    const ranking = rankScores(Float64Array.of(1, 2, 3), 3)
    expect([...head(ranking, 2).rows]).toEqual([2, 1])
    expect(head(ranking, 3)).toBe(ranking)
    expect(head(EMPTY_RANKING, 5)).toBe(EMPTY_RANKING)
  })
})
