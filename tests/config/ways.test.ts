import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combine, nthOf, ofatAt, ofatCount, productOf } from '../../src/config/combinations.ts'

const parts = fc.array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 5 })

/** Every combination, the first part slowest. */
const product = (sizes: readonly number[]): number[][] =>
  sizes.reduce<number[][]>(
    (before, size) => before.flatMap((one) => Array.from({ length: size }, (_, way) => [...one, way])),
    [[]],
  )

test('the combinations, each once, the base first', () => {
  fc.assert(
    fc.property(parts, (lists) => {
      const sizes = lists.map(({ length }) => length)
      const all = product(sizes)
      expect(Array.from({ length: productOf(sizes) }, (_, index) => nthOf(sizes, index))).toEqual(all)
      expect(combine(lists)).toEqual(all.map((one) => one.map((way, part) => lists[part][way])))
      const few = Array.from({ length: ofatCount(sizes) }, (_, index) => ofatAt(sizes, index))
      const sorted = (list: number[][]) => list.map((one) => one.join()).sort()
      expect(sorted(few)).toEqual(sorted(all.filter((one) => one.filter((way) => way > 0).length <= 1)))
      if (few.length > 0) expect(Math.max(0, ...few[0])).toBe(0)
    }),
  )
})
