/**
 * Combinations of the alternatives of a trial's parts. The first alternative of each part is its base:
 *
 *     product    every combination, the first part slowest
 *     ofat       one factor at a time: the base of every part, then each part's other alternatives around it
 *
 * One factor at a time sees no interaction, and takes a sum of trials where the product takes a product.
 */
export const MODES = ['product', 'ofat'] as const
export type Mode = (typeof MODES)[number]

export interface Combinations<T> {
  readonly list: readonly T[]
  /** Size of the full product. */
  readonly product: number
}

export const productOf = (sizes: readonly number[]) => sizes.reduce((product, size) => product * size, 1)

/** Number of combinations of parts with these sizes. */
export function combinationCount(sizes: readonly number[], mode: Mode): number {
  if (mode === 'product' || sizes.includes(0)) return productOf(sizes)
  return sizes.reduce((sum, size) => sum + size - 1, 1)
}

/** The combination at `index`: the index of each part's alternative. */
export function nthOf(sizes: readonly number[], index: number, mode: Mode): number[] {
  const chosen = sizes.map(() => 0)
  let left = index
  if (mode === 'product')
    for (let part = sizes.length - 1; part >= 0; part--) {
      chosen[part] = left % sizes[part]
      left = Math.floor(left / sizes[part])
    }
  else
    for (let part = 0; part < sizes.length && left > 0; part++) {
      chosen[part] = left < sizes[part] ? left : 0
      left -= sizes[part] - 1
    }
  return chosen
}

/** All combinations of parts of one kind. */
export function combine<T>(parts: readonly Combinations<T>[], mode: Mode): Combinations<T[]> {
  const sizes = parts.map(({ list }) => list.length)
  return {
    list: Array.from({ length: combinationCount(sizes, mode) }, (_, index) =>
      nthOf(sizes, index, mode).map((chosen, part) => parts[part].list[chosen]),
    ),
    product: productOf(parts.map(({ product }) => product)),
  }
}
