import type { Csr } from './csr.ts'
import type { Graph } from './graph.ts'
import { type Incidence, membersOf } from './incidence.ts'

/** Which chunks are neighbours: calls `visit` for each of a chunk's, some perhaps more than once, itself perhaps too. */
export type Neighbors = (chunk: number, visit: (neighbor: number) => void) => void

/** Chunks that share an entity. */
export function byEntities({ entitiesOfChunk, chunksOfEntity }: Graph): Neighbors {
  return (chunk, visit) => {
    for (const entity of membersOf(entitiesOfChunk, chunk)) each(chunksOfEntity, entity, visit)
  }
}

/** Chunks whose entities are related: with the extractor `structure`, what contains, follows or is referred to. */
export function byRelationships({ entitiesOfChunk, chunksOfEntity, csr }: Graph): Neighbors {
  return (chunk, visit) => {
    for (const entity of membersOf(entitiesOfChunk, chunk))
      for (let i = csr.offsets[entity]; i < csr.offsets[entity + 1]; i++)
        each(chunksOfEntity, csr.targets[i], visit)
  }
}

/** Chunks that are joined by an edge. */
export function byEdges({ offsets, targets }: Csr): Neighbors {
  return (chunk, visit) => {
    for (let i = offsets[chunk]; i < offsets[chunk + 1]; i++) visit(targets[i])
  }
}

function each({ offsets, members }: Incidence, row: number, visit: (member: number) => void): void {
  for (let i = offsets[row]; i < offsets[row + 1]; i++) visit(members[i])
}

/**
 * What neighbours of `starts` gain: breadth-first from each start to `hops`, `boost * decay ^ (d - 1)` for each chunk at
 * distance d, added up over the starts. Chunk row -> gain.
 */
export function gains(
  neighbors: Neighbors,
  starts: ArrayLike<number>,
  { hops, boost, decay }: { readonly hops: number; readonly boost: number; readonly decay: number },
): Map<number, number> {
  const gained = new Map<number, number>()
  for (let s = 0; s < starts.length; s++) {
    const seen = new Set([starts[s]])
    let frontier = [starts[s]]
    for (let d = 1; d <= hops && frontier.length > 0; d++) {
      const next: number[] = []
      for (const chunk of frontier)
        neighbors(chunk, (neighbor) => {
          if (seen.has(neighbor)) return
          seen.add(neighbor)
          next.push(neighbor)
          gained.set(neighbor, (gained.get(neighbor) ?? 0) + boost * decay ** (d - 1))
        })
      frontier = next
    }
  }
  return gained
}
