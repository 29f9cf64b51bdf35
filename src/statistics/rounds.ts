import { compareIds } from '../text/order.ts'
import { createRandomFor } from './random.ts'

/** Each round of a race ends when so many times the queries of the last are seen: few tests, and few queries too many. */
const GROWTH = 1.25

/** Queries seen at the end of each round: `first`, then a quarter more each time, up to all. */
export function roundEnds(queries: number, first: number): number[] {
  const ends = [Math.min(first, queries)]
  for (let seen = ends[0]; seen < queries; ends.push(seen)) seen = Math.min(queries, Math.ceil(GROWTH * seen))
  return ends
}

/** The queries to put in an order. */
export interface Ordered {
  /** Unique ids; any order of them gives the same. */
  readonly ids: readonly string[]
  /** The block of each id, or null. */
  readonly blocks: readonly (string | null)[]
  readonly seed: number
}

/**
 * A random order in which every prefix has its share of each block (stratified sampling without replacement): of a
 * block's n queries, shuffled, the i-th stands at a random place between i/n and (i + 1)/n of the way. A query's place is
 * drawn by its own id, so it depends on no other.
 */
export function raceOrder({ ids, blocks, seed }: Ordered): Int32Array {
  const drawn = ids.map((id) => createRandomFor(seed, id))
  const turns = drawn.map(({ uniform }) => uniform())
  const byBlock = new Map<string | null, number[]>()
  ids.forEach((_, query) => {
    const members = byBlock.get(blocks[query])
    if (members) members.push(query)
    else byBlock.set(blocks[query], [query])
  })
  const positions = new Float64Array(ids.length)
  for (const members of byBlock.values()) {
    members.sort((a, b) => turns[a] - turns[b] || compareIds(ids[a], ids[b]))
    members.forEach((query, turn) => {
      positions[query] = (turn + drawn[query].uniform()) / members.length
    })
  }
  return Int32Array.from(ids.keys()).sort((a, b) => positions[a] - positions[b] || compareIds(ids[a], ids[b]))
}
