import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHeat } from '../../src/statistics/race.ts'
import { createRandom } from '../../src/statistics/random.ts'
import { raceOrder, roundEnds } from '../../src/statistics/rounds.ts'

/** Races these trials from the 10th query on; the places of those that stopped. */
function stoppedOf(
  values: readonly Float64Array[],
  { better = 'higher', level = 0.05 }: { better?: 'higher' | 'lower'; level?: number } = {},
): number[] {
  const queries = values[0].length
  const heat = createHeat({ trials: values.length, queries, better, level })
  for (const end of roundEnds(queries, 10)) if (end < queries) heat.read(values, end)
  return [...values.keys()].filter((trial) => !heat.racing().includes(trial))
}

const meanOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('who stops', () => {
  test('the winner is kept where it gains much on few queries and loses a little on the others', () => {
    const [grids, queries] = [200, 300]
    let lost = 0
    for (let grid = 0; grid < grids; grid++) {
      const { uniform } = createRandom(grid + 1)
      const values = Array.from({ length: 6 }, () => new Float64Array(queries))
      for (let query = 0; query < queries; query++) {
        const [base, gains] = [0.05 * uniform(), uniform() < 0.04]
        for (const [trial, own] of values.entries())
          own[query] = base + (trial > 0 ? 0.02 + 0.005 * uniform() : gains ? 0.9 : 0)
      }
      const means = values.map(meanOf)
      if (stoppedOf(values).includes(means.indexOf(Math.max(...means)))) lost++
    }
    // A test that assumes symmetric differences stops the winner in half of these grids.
    expect(lost / grids).toBeLessThanOrEqual(0.05)
  })

  test('of trials that are equal in truth the winner is lost at most as often as the level says, at any level', () => {
    for (const level of [0.05, 0.3]) {
      let lost = 0
      for (let grid = 0; grid < 200; grid++) {
        const { uniform } = createRandom(grid + 1)
        const values = Array.from({ length: 8 }, () =>
          Float64Array.from({ length: 100 }, () => (uniform() < 0.5 ? 1 : 0)),
        )
        const means = values.map(meanOf)
        const best = Math.max(...means)
        const stopped = stoppedOf(values, { level })
        if (means.every((mean, trial) => mean < best || stopped.includes(trial))) lost++
      }
      expect(lost / 200).toBeLessThanOrEqual(level)
    }
  })

  /** Values of 0 and 1 whose means are 30, 50 and 70 %. */
  const apart = (seed: number, queries = 200) => {
    const { uniform } = createRandom(seed)
    return [0.3, 0.5, 0.7].map((mean) => Float64Array.from({ length: queries }, () => +(uniform() < mean)))
  }

  test('a clear loser stops, in the direction that is bad; at level 0 nobody does', () => {
    expect(stoppedOf(apart(1))).toEqual([0, 1])
    expect(stoppedOf(apart(1), { better: 'lower' })).toEqual([1, 2])
    expect(stoppedOf(apart(1), { level: 0 })).toEqual([])
  })

  test('of two trials one stops at the query where the formula says so', () => {
    const [queries, level] = [60, 0.05]
    /** The first query after which a trial has stopped, and the trial; differences are summed anew at each query. */
    const expected = (values: readonly Float64Array[]) => {
      const sumOf = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0)
      const leadAfter = (seen: number) => {
        const [first, second] = values.map((own) => sumOf([...own.slice(0, seen)]))
        return second > first ? 1 : 0
      }
      const wealth = [1, 1]
      const ruledOut = [false, false]
      for (let i = 0; i < queries; i++) {
        const leader = leadAfter(i)
        const trial = 1 - leader
        const d = (query: number) => values[leader][query] - values[trial][query]
        const before = Array.from({ length: i }, (_, query) => d(query))
        const s = sumOf(before)
        const m = -s / (queries - i)
        const e = s / (i + 1) - m
        const variance = (0.25 + sumOf(before.map((one) => (one - s / i) ** 2))) / (i + 1)
        const bet = e <= 0 ? 0 : Math.min(e / (variance + e ** 2), 1 / (2 * (1 + m)))
        wealth[trial] *= 1 + bet * (d(i) - m)
        if (m < -1 || wealth[trial] * level >= 1) ruledOut[trial] = true
        const other = 1 - leadAfter(i + 1)
        if (ruledOut[other]) return [i + 1, other]
      }
      return undefined
    }
    const found = (values: readonly Float64Array[]) => {
      const heat = createHeat({ trials: 2, queries, better: 'higher', level })
      for (let end = 1; end <= queries; end++) {
        const [out] = heat.read(values, end).out
        if (out !== undefined) return [end, out]
      }
      return undefined
    }
    const stops = new Set<string>()
    for (let seed = 1; seed <= 60; seed++) {
      const { uniform } = createRandom(seed)
      const high = seed % 3 === 0 ? 1 : 0.6
      const values = [high, 0.3].map((top) => Float64Array.from({ length: queries }, () => top * uniform()))
      if (seed % 2 === 0) values.reverse()
      expect(found(values)).toEqual(expected(values))
      stops.add(String(found(values)))
    }
    expect(stops.size).toBeGreaterThan(20)
  })

  test('it does not matter in how many reads the queries come, but for when a trial stops', () => {
    const values = apart(3)
    const ruledOut = (ends: readonly number[]) => {
      const heat = createHeat({ trials: 3, queries: 200, better: 'higher', level: 0.05 })
      return ends.map((end) => heat.read(values, end)).flatMap(({ out }) => out)
    }
    expect(ruledOut([150])).toEqual([0, 1])
    expect(new Set(ruledOut([10, 40, 80, 150]))).toEqual(new Set([0, 1]))
  })

  test('equal trials run to the end, and queries that do not count change nothing', () => {
    const values = apart(2)
    expect(stoppedOf([values[2], values[2], values[2]])).toEqual([])
    const holes = values.map((own) =>
      Float64Array.from(own, (value, query) => (query < 190 ? Number.NaN : value)),
    )
    expect(stoppedOf(holes)).toEqual([])
  })

  test('a trial that cannot catch up any more stops, however small the level', () => {
    const ahead = Float64Array.from({ length: 100 }, (_, query) => +(query < 60))
    expect(stoppedOf([ahead, new Float64Array(100)], { level: 1e-300 })).toEqual([1])
    // 39 behind when 40 queries are left, it wins by the last of them.
    const near = ahead.map((_, query) => +(query < 21 || query >= 60))
    expect(stoppedOf([ahead, near], { level: 1e-300 })).toEqual([])
  })
})

describe('rounds', () => {
  test('grow by a quarter to all queries, and a first round of all is the only one', () => {
    expect(roundEnds(40, 10)).toEqual([10, 13, 17, 22, 28, 35, 40])
    expect(roundEnds(10, 10)).toEqual([10])
    expect(roundEnds(3, 10)).toEqual([3])
  })

  test('every beginning of the order has its share of each block, whatever the order of the queries', () => {
    const queries = fc
      .uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 60 })
      .chain((ids) =>
        fc.record({
          ids: fc.constant(ids),
          blocks: fc.array(fc.constantFrom('bridge', 'comparison', null), {
            minLength: ids.length,
            maxLength: ids.length,
          }),
          seed: fc.nat(),
        }),
      )
    fc.assert(
      fc.property(queries, ({ ids, blocks, seed }) => {
        const order = raceOrder({ ids, blocks, seed })
        expect([...order].sort((a, b) => a - b)).toEqual([...ids.keys()])
        const turned = raceOrder({ ids: ids.toReversed(), blocks: blocks.toReversed(), seed })
        expect([...turned].map((query) => ids[ids.length - 1 - query])).toEqual(
          [...order].map((query) => ids[query]),
        )
        for (const block of new Set(blocks)) {
          const own = blocks.filter((one) => one === block).length
          for (let seen = 1; seen <= ids.length; seen++) {
            const held = [...order.subarray(0, seen)].filter((query) => blocks[query] === block).length
            // Each block may be one query early or late, so the sum of all others moves a share by as many.
            expect(Math.abs(held - (own * seen) / ids.length)).toBeLessThanOrEqual(new Set(blocks).size)
          }
        }
      }),
    )
  })
})
