import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/random.ts'
import { catchableDrop, dropTest } from '../../src/statistics/drop.ts'

const DRAWS = { draws: 4000, seed: 1 }

/** P(Beta(n - k, k + 1) <= max): of k whole losses among n queries and else no difference. */
function exact(losses: number, n: number, max: number): number {
  // The weight on the losses against 1 more at -1: 2,000 draws of sorted uniforms would do; here by their definition.
  const { uniform } = createRandom(7)
  let below = 0
  const draws = 20_000
  for (let draw = 0; draw < draws; draw++) {
    // n + 1 spacings of [0, 1] are uniform weights.
    const cuts = Array.from({ length: n }, uniform).sort((a, b) => a - b)
    const lost = losses === 0 ? 0 : cuts[losses - 1]
    const against = 1 - cuts[n - 1]
    if (lost - against <= max) below++
  }
  return below / draws
}

describe('the test of a drop', () => {
  it('weighs queries as spacings of uniform numbers do', () => {
    for (const [losses, n, max] of [
      [3, 20, 0.01],
      [8, 40, 0.05],
      [0, 15, 0],
    ]) {
      const drops = Float64Array.from({ length: n }, (_, query) => (query < losses ? 1 : 0))
      expect(Math.abs(dropTest(drops, max, DRAWS) - exact(losses, n, max))).toBeLessThan(0.03)
    }
  })

  it('finds no drop where there is none, however many queries are equal', () => {
    expect(dropTest(new Float64Array(50), 0, DRAWS)).toBe(1)
    expect(dropTest(Float64Array.of(), 0, DRAWS)).toBe(1)
  })

  it('is surer of larger drops and of smaller bounds', () => {
    const drops = fc.array(fc.constantFrom(-1, -0.5, 0, 0.5, 1), { minLength: 5, maxLength: 60 })
    fc.assert(
      fc.property(drops, fc.nat(100), (values, at) => {
        const own = Float64Array.from(values)
        const more = own.map((value, query) => (query === at % own.length ? Math.min(1, value + 0.5) : value))
        expect(dropTest(more, 0.01, DRAWS)).toBeLessThanOrEqual(dropTest(own, 0.01, DRAWS))
        expect(dropTest(own, 0.1, DRAWS)).toBeGreaterThanOrEqual(dropTest(own, 0.01, DRAWS))
      }),
      { numRuns: 30 },
    )
  })

  it('keeps its level where a t-test fails four times in ten: small losses, rare whole gains', () => {
    const { uniform } = createRandom(3)
    let alarms = 0
    for (let run = 0; run < 300; run++) {
      // Mean .01: losses of .1 on three tenths, gains of 1 on a fiftieth.
      const drops = Float64Array.from({ length: 50 }, () => {
        const u = uniform()
        return u < 0.02 ? -1 : u < 0.32 ? 0.1 : 0
      })
      if (dropTest(drops, 0.01, { draws: 1000, seed: run }) <= 0.05) alarms++
    }
    expect(alarms / 300).toBeLessThan(0.075)
  })
})

describe('the drop that would be found', () => {
  it('is found four times in five, nearly', () => {
    const { uniform } = createRandom(5)
    const draw = (n: number, drop: number) =>
      Float64Array.from({ length: n }, () => {
        const u = uniform()
        return u < 0.1 + drop ? 1 : u < 0.2 + drop ? -1 : 0
      })
    const drop = catchableDrop(draw(4000, 0.15).subarray(0, 200), 0.01, 0.05) ?? Number.NaN
    let found = 0
    for (let run = 0; run < 200; run++)
      if (dropTest(draw(200, drop), 0.01, { draws: 1000, seed: run }) <= 0.05) found++
    expect(found / 200).toBeGreaterThan(0.7)
    expect(found / 200).toBeLessThan(0.92)
  })

  it('is none with a handful of queries, and smaller with more', () => {
    expect(catchableDrop(Float64Array.of(0, 0, 1), 0.01, 0.05)).toBeNull()
    const drops = (n: number) => Float64Array.from({ length: n }, (_, query) => [0, 0.5, -0.5, 0][query % 4])
    const sizes = [30, 100, 1000].map((n) => catchableDrop(drops(n), 0.01, 0.05) ?? Number.NaN)
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    expect(sizes[2]).toBeLessThan(0.05)
  })
})
