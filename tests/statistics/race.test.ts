import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalTail } from '../../src/statistics/distributions.ts'
import { levelOfTest, ruledOut } from '../../src/statistics/race.ts'
import { raceOrder, roundEnds } from '../../src/statistics/rounds.ts'

describe('who is ruled out', () => {
  const values = fc.array(fc.constantFrom(0, 0.25, 0.5, 1), { minLength: 1, maxLength: 12 })

  test('by less than the proven factor more than all sign flips say, whatever the values', () => {
    const factor = 1 / (4 * normalTail(Math.SQRT2))
    fc.assert(
      fc.property(values, values, fc.double({ min: 1e-6, max: 0.6, noNaN: true }), (one, two, level) => {
        const n = Math.min(one.length, two.length)
        const [a, b] = [one.slice(0, n), two.slice(0, n)]
        const { leader, out } = ruledOut({ values: [a, b], better: 'higher', seen: 0, level })
        expect(out[leader]).toBe(false)
        if (!out[1 - leader]) return
        const differences = a.map((value, query) => (leader === 0 ? 1 : -1) * (value - b[query]))
        const observed = differences.reduce((sum, d) => sum + d, 0)
        let as = 0
        for (let signs = 0; signs < 2 ** n; signs++) {
          const sum = differences.reduce((total, d, query) => total + ((signs >> query) & 1 ? d : -d), 0)
          if (sum >= observed - 1e-12) as++
        }
        expect(as / 2 ** n).toBeLessThan(factor * level)
      }),
    )
  })

  test('ten of ten is no proof at a corrected level; more queries are, and fewer where few are left', () => {
    const wins = (n: number, seen: number) => {
      const own = [Array<number>(n).fill(1), Array<number>(n).fill(0)]
      return ruledOut({ values: own, better: 'higher', seen, level: levelOfTest(0.05, 20, 48) }).out[1]
    }
    expect([wins(10, 0.01), wins(20, 0.02), wins(10, 0.9)]).toEqual([false, true, true])
  })

  test('the other direction, queries that do not count, and equal trials', () => {
    const [a, b] = [Array<number>(30).fill(1), Array<number>(30).fill(0)]
    const heat = { values: [a, b], seen: 0.5, level: 0.01 }
    expect(ruledOut({ ...heat, better: 'higher' })).toEqual({ leader: 0, out: [false, true] })
    expect(ruledOut({ ...heat, better: 'lower' })).toEqual({ leader: 1, out: [true, false] })
    const holes = [a, b].map((own) => own.map((value, query) => (query < 28 ? Number.NaN : value)))
    expect(ruledOut({ ...heat, values: holes, better: 'higher' }).out).toEqual([false, false])
    expect(ruledOut({ ...heat, values: [a, a], better: 'higher' }).out).toEqual([false, false])
    expect(ruledOut({ ...heat, level: 0, better: 'higher' }).out).toEqual([false, false])
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
