/** Maximum number of trials of a config. */
export const MAX_TRIALS = 100_000

export const productOf = (sizes: readonly number[]) => sizes.reduce((product, size) => product * size, 1)

/** Index of each part's alternative in combination `index` of parts with these sizes, the first part slowest. */
export function nthOf(sizes: readonly number[], index: number): number[] {
  const chosen = sizes.map(() => 0)
  let left = index
  for (let part = sizes.length - 1; part >= 0; part--) {
    chosen[part] = left % sizes[part]
    left = Math.floor(left / sizes[part])
  }
  return chosen
}

export function ofatCount(sizes: readonly number[]): number {
  return sizes.includes(0) ? 0 : sizes.reduce((sum, size) => sum + size - 1, 1)
}

/** Combination `index` of one factor at a time: the first alternative of every part, then each part's others. */
export function ofatAt(sizes: readonly number[], index: number): number[] {
  const chosen = sizes.map(() => 0)
  let left = index
  for (let part = 0; part < sizes.length && left > 0; part++) {
    chosen[part] = left < sizes[part] ? left : 0
    left -= sizes[part] - 1
  }
  return chosen
}

export function combine<T>(parts: readonly (readonly T[])[]): T[][] {
  const sizes = parts.map((list) => list.length)
  return Array.from({ length: productOf(sizes) }, (_, index) =>
    nthOf(sizes, index).map((chosen, part) => parts[part][chosen]),
  )
}
