import type { Csr } from './csr.ts'

/** A node that was reached, with how many hops away it lies from which start. */
export interface Reached {
  readonly node: number
  readonly hops: number
  /** Place of the nearest start; the first of equally near ones. */
  readonly from: number
}

/** Every node within `hops` of a start, nearest first (the starts themselves at 0), in breadth-first order. */
export function neighborhood({ offsets, targets }: Csr, starts: ArrayLike<number>, hops: number): Reached[] {
  const reached: Reached[] = []
  const seen = new Set<number>()
  for (let from = 0; from < starts.length; from++)
    if (!seen.has(starts[from])) {
      seen.add(starts[from])
      reached.push({ node: starts[from], hops: 0, from })
    }
  for (let next = 0; next < reached.length && reached[next].hops < hops; next++) {
    const { node, hops: far, from } = reached[next]
    for (let i = offsets[node]; i < offsets[node + 1]; i++)
      if (!seen.has(targets[i])) {
        seen.add(targets[i])
        reached.push({ node: targets[i], hops: far + 1, from })
      }
  }
  return reached
}
