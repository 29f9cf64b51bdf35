import { buildCsr, type Csr, type Incidence, membersOf } from './csr.ts'
import type { Graph } from './graph.ts'

/** Calls `visit` for each neighbour of a chunk, possibly several times, and possibly for the chunk itself. */
export interface Neighbors {
  (chunk: number, visit: (neighbor: number) => void): void
  /** Neighbours for one walk, which skips most earlier visits: a frequent name is followed once. */
  readonly walk?: () => (chunk: number, visit: (neighbor: number) => void) => void
}

export function byEntities({ entitiesOfChunk, chunksOfEntity }: Graph): Neighbors {
  return walking((first) => (chunk, visit) => {
    for (const entity of membersOf(entitiesOfChunk, chunk))
      if (first(entity)) each(chunksOfEntity, entity, visit)
  })
}

/**
 * Chunks whose entities are related; with the extractor `structure`, chunks that contain, follow or refer to each other.
 */
export function byRelationships(graph: Graph, kinds?: Kinds): Neighbors {
  const { entitiesOfChunk, chunksOfEntity } = graph
  const csr = kinds ? ofKinds(graph, kinds) : graph.csr
  return walking((first, firstTarget) => (chunk, visit) => {
    for (const entity of membersOf(entitiesOfChunk, chunk))
      if (first(entity))
        for (let i = csr.offsets[entity]; i < csr.offsets[entity + 1]; i++)
          if (firstTarget(csr.targets[i])) each(chunksOfEntity, csr.targets[i], visit)
  })
}

type First = (entity: number) => boolean

/** Neighbours by `look`, whose argument tells if an entity is visited for the first time in a walk. */
function walking(
  look: (first: First, firstTarget: First) => (chunk: number, visit: (neighbor: number) => void) => void,
): Neighbors {
  const once = (): First => {
    const seen = new Set<number>()
    return (entity) => seen.size !== seen.add(entity).size
  }
  const always = look(
    () => true,
    () => true,
  )
  return Object.assign(always, { walk: () => look(once(), once()) })
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

export function byEdges({ offsets, targets }: Csr): Neighbors {
  return (chunk, visit) => {
    for (let i = offsets[chunk]; i < offsets[chunk + 1]; i++) visit(targets[i])
  }
}

function each({ offsets, members }: Incidence, row: number, visit: (member: number) => void): void {
  for (let i = offsets[row]; i < offsets[row + 1]; i++) visit(members[i])
}

export function meanNeighbors(neighbors: Neighbors, chunks: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < chunks.length; i++) {
    const distinct = new Set<number>()
    const visit = neighbors.walk?.() ?? neighbors
    visit(chunks[i], (neighbor) => distinct.add(neighbor))
    distinct.delete(chunks[i])
    sum += distinct.size
  }
  return chunks.length === 0 ? 0 : sum / chunks.length
}

/**
 * Boosts of the neighbours of `starts`: breadth-first from each start to `hops`, `boost * decay ^ (d - 1)` for a chunk at
 * distance d, summed over the starts. Chunk row -> boost.
 */
export function gains(
  neighbors: Neighbors,
  starts: ArrayLike<number>,
  { hops, boost, decay }: { readonly hops: number; readonly boost: number; readonly decay: number },
): Map<number, number> {
  const gained = new Map<number, number>()
  for (let s = 0; s < starts.length; s++) {
    const seen = new Set([starts[s]])
    const visitNeighbors = neighbors.walk?.() ?? neighbors
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
  /** Index of the nearest start; ties: the first. */
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

/** Connected components: `of[u]` is the component of node u, numbered by lowest node; `sizes` is by that number. */
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
