import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/random.ts'
import { catchableDrop, dropTest } from '../../src/statistics/drop.ts'

const DRAWS = { draws: 4000, seed: 1 }

describe('the test of a drop', () => {
  it('finds no drop where there is none, however many queries are equal', () => {
    expect(dropTest(new Float64Array(50), 0, DRAWS)).toBe(1)
    expect(dropTest(Float64Array.of(), 0, DRAWS)).toBe(1)
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
    let significant = 0
    for (let run = 0; run < 200; run++)
      if (dropTest(draw(200, drop), 0.01, { draws: 1000, seed: run }) <= 0.05) significant++
    expect(significant / 200).toBeGreaterThan(0.7)
    expect(significant / 200).toBeLessThan(0.92)
  })
})
