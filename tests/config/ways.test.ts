import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Combinations, combinationCount, combine, nthOf } from '../../src/config/combinations.ts'

const parts = fc.array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 5 })
const ways = <T>(list: readonly T[]): Combinations<T> => ({ list, product: list.length })

/** Every combination, the first part slowest. */
const product = (sizes: readonly number[]): number[][] =>
  sizes.reduce<number[][]>(
    (before, size) => before.flatMap((one) => Array.from({ length: size }, (_, way) => [...one, way])),
    [[]],
  )

test.each(['product', 'ofat'] as const)('%s: the combinations, each once, the base first', (mode) => {
  fc.assert(
    fc.property(parts, (lists) => {
      const sizes = lists.map(({ length }) => length)
      const all = product(sizes)
      const expected =
        mode === 'product' ? all : all.filter((one) => one.filter((way) => way > 0).length <= 1)
      const got = Array.from({ length: combinationCount(sizes, mode) }, (_, index) =>
        nthOf(sizes, index, mode),
      )
      const sorted = (list: number[][]) => list.map((one) => one.join()).sort()
      expect(sorted(got)).toEqual(sorted(expected))
      if (got.length > 0) expect(Math.max(0, ...got[0])).toBe(0)
      const combined = combine(lists.map(ways), mode)
      expect(combined.list).toEqual(got.map((one) => one.map((way, part) => lists[part][way])))
      expect(combined.product).toBe(all.length)
    }),
  )
})
