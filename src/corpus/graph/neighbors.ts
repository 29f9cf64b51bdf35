import { buildCsr, type Csr, membersOf, neighboursOf } from './csr.ts'
import type { Graph } from './graph.ts'

/**
 * Begins a walk, which calls `visit` for each neighbour of a chunk, possibly several times, and possibly for the chunk
 * itself. Later visits of one walk skip names that were followed before.
 */
export type Neighbors = () => (chunk: number, visit: (neighbor: number) => void) => void

export function byEntities({ entitiesOfChunk, chunksOfEntity }: Graph): Neighbors {
  return () => {
    const isFirst = firstTimes()
    return (chunk, visit) => {
      for (const entity of membersOf(entitiesOfChunk, chunk))
        if (isFirst(entity)) membersOf(chunksOfEntity, entity).forEach(visit)
    }
  }
}

export function byRelationships(graph: Graph, kinds?: Kinds): Neighbors {
  const { entitiesOfChunk, chunksOfEntity } = graph
  const csr = kinds ? ofKinds(graph, kinds) : graph.csr
  return () => {
    const [isFirst, isFirstTarget] = [firstTimes(), firstTimes()]
    return (chunk, visit) => {
      for (const entity of membersOf(entitiesOfChunk, chunk))
        if (isFirst(entity))
          for (const target of neighboursOf(csr, entity))
            if (isFirstTarget(target)) membersOf(chunksOfEntity, target).forEach(visit)
    }
  }
}

function firstTimes(): (entity: number) => boolean {
  const seen = new Set<number>()
  return (entity) => seen.size !== seen.add(entity).size
}

/** Relationships to walk: those with a kind in `relations` (all if absent) and with no kind in `without`. */
export type Kinds = { readonly relations?: readonly string[]; readonly without?: readonly string[] }

/** Graph of relationships of these kinds. One matching kind of a pair is enough. */
function ofKinds({ entities, relationships }: Graph, { relations, without = [] }: Kinds): Csr {
  const { sources, targets, weights } = relationships
  const isWalked = (kinds: readonly string[]) =>
    kinds.length === 0
      ? relations === undefined
      : kinds.some((kind) => !without.includes(kind) && (relations?.includes(kind) ?? true))
  const rows = relationships.relations.flatMap((kinds, row) => (isWalked(kinds) ? [row] : []))
  const of = (column: ArrayLike<number>) => rows.map((row) => column[row])
  return buildCsr(entities.size, { sources: of(sources), targets: of(targets), weights: of(weights) })
}

export function byEdges(csr: Csr): Neighbors {
  return () => (chunk, visit) => neighboursOf(csr, chunk).forEach(visit)
}

export function meanNeighbors(neighbors: Neighbors, chunks: ArrayLike<number>): number {
  const counts = Array.from(chunks, (chunk) => {
    const distinct = new Set<number>()
    neighbors()(chunk, (neighbor) => distinct.add(neighbor))
    distinct.delete(chunk)
    return distinct.size
  })
  return counts.length === 0 ? 0 : counts.reduce((sum, count) => sum + count, 0) / counts.length
}

/** Boosts by chunk row: `boost * decay ^ (d - 1)` for a chunk at distance d <= `hops`, summed over the starts. */
export function gains(
  neighbors: Neighbors,
  starts: ArrayLike<number>,
  { hops, boost, decay }: { readonly hops: number; readonly boost: number; readonly decay: number },
): Map<number, number> {
  const gained = new Map<number, number>()
  for (let s = 0; s < starts.length; s++) {
    const seen = new Set([starts[s]])
    const visitNeighbors = neighbors()
    let frontier = [starts[s]]
    for (let d = 1; d <= hops && frontier.length > 0; d++) {
      const next: number[] = []
      for (const chunk of frontier)
        visitNeighbors(chunk, (neighbor) => {
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

interface ReachedNode {
  readonly node: number
  readonly hops: number
  /** Index of the nearest start. */
  readonly from: number
}

export function neighborhood(
  { offsets, targets }: Csr,
  starts: ArrayLike<number>,
  hops: number,
): ReachedNode[] {
  const reached: ReachedNode[] = []
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

export function relationshipsBetween(
  a: number,
  b: number,
  {
    relationships: { sources, targets },
    relationshipsOfEntity,
  }: Pick<Graph, 'relationships' | 'relationshipsOfEntity'>,
): number[] {
  return [...membersOf(relationshipsOfEntity, a)].filter(
    (row) => (sources[row] === a && targets[row] === b) || (sources[row] === b && targets[row] === a),
  )
}

/** Component of each node, numbered by lowest node; `sizes` is by that number. */
interface Components {
  readonly of: Uint32Array
  readonly sizes: readonly number[]
}

/** Components along edges whose ends are in one part of `parts` (any, if absent). */
export function components({ nodes, offsets, targets }: Csr, parts?: ArrayLike<number>): Components {
  const unreached = 0xffffffff
  const of = new Uint32Array(nodes).fill(unreached)
  const queue = new Uint32Array(nodes)
  const sizes: number[] = []
  for (let start = 0; start < nodes; start++) {
    if (of[start] !== unreached) continue
    const component = sizes.length
    let end = 0
    queue[end++] = start
    of[start] = component
    for (let next = 0; next < end; next++) {
      const u = queue[next]
      for (let i = offsets[u]; i < offsets[u + 1]; i++) {
        const v = targets[i]
        if (of[v] !== unreached || (parts && parts[v] !== parts[u])) continue
        of[v] = component
        queue[end++] = v
      }
    }
    sizes.push(end)
  }
  return { of, sizes }
}
