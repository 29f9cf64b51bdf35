import { describe, expect, test } from 'vitest'
import { agreementOfAll, agreementOfTwo, cohensKappa, fleissKappa } from '../../src/labels/agreement.ts'

const repeat = <T>(times: number, value: T): T[] => Array.from({ length: times }, () => value)
/** Ratings of a subject from the number of raters in each category. */
const ratings = (counts: readonly number[]) => counts.flatMap((count, category) => repeat(count, category))

describe('kappa', () => {
  test("Cohen's is that of sklearn.metrics.cohen_kappa_score", () => {
    const pairs = [...repeat(20, [1, 1]), ...repeat(5, [1, 0]), ...repeat(10, [0, 1]), ...repeat(15, [0, 0])]
    expect(cohensKappa(pairs as [number, number][])).toBeCloseTo(0.4, 12)
    const first = [2, 0, 2, 2, 0, 1]
    const other = [0, 0, 2, 2, 0, 2]
    expect(cohensKappa(first.map((value, index) => [value, other[index]]))).toBeCloseTo(0.428571428571, 11)
    expect(cohensKappa(repeat(4, [3, 3]))).toBeNaN()
  })

  test("Fleiss' is that of his example as Wikipedia prints it", () => {
    const table = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ]
    expect(fleissKappa(table.map(ratings))).toBeCloseTo(0.20993070442195, 12)
  })

  test('counts passages that both labelled, with an interval over questions', () => {
    const items = Array.from({ length: 40 }, (_, at) => ({
      query: `q${at >> 2}`,
      ratings: new Map([
        ['ada', at % 2],
        ['bob', at % 7 === 0 ? 1 - (at % 2) : at % 2],
        ...(at < 4 ? [['eve', 1] as [string, number]] : []),
      ]),
    }))
    const two = agreementOfTwo(items, 'ada', 'bob')
    expect(two.items).toBe(40)
    expect(two.low).toBeLessThan(two.kappa)
    expect(two.high).toBeGreaterThan(two.kappa)
    expect(agreementOfTwo(items, 'ada', 'eve').items).toBe(4)
    expect(agreementOfAll(items).items).toBe(40)
    expect(agreementOfTwo(items, 'ada', 'bob')).toEqual(two)
  })
})
