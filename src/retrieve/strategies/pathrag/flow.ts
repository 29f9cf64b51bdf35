import type { Csr } from '../../../corpus/graph/csr.ts'

/**
 * PathRAG's flow-based pruning. Between each ordered pair of linked entities, over all simple paths of at most 3 edges:
 *
 *     flow of an edge from the source      1 / followers of the source
 *     flow of each later edge (u, v)       + decay * flow into u / followers of u
 *     weight of a path                     mean flow of its edges
 *
 * The followers of a node are the nodes that follow it on some path of the pair. Flow of at most `threshold` goes no
 * further, so that long ways and ways through hubs weigh little. Of paths over the same entities the heaviest is kept,
 * and the `paths` heaviest of all. Equal weights: pairs in the order of the linked entities, then paths by entity rows.
 * The original iterates over sets, whose order changes from run to run; here followers are taken by entity row.
 * Chen et al., PathRAG, 2025; BUPT-GAMMA/PathRAG, `find_paths_and_edges_with_stats`, `bfs_weighted_paths`.
 */
export type FlowOptions = { readonly threshold: number; readonly decay: number; readonly paths: number }

export interface FlowPath {
  /** Entity rows from a linked entity to another. */
  readonly nodes: readonly number[]
  readonly weight: number
}

/** The heaviest paths between `linked` entities (distinct rows, best first), heaviest first. */
export function heaviestPaths(linked: readonly number[], csr: Csr, options: FlowOptions): FlowPath[] {
  const linkedBeside = neighboursAmong(linked, csr)
  const found: FlowPath[] = []
  for (const source of linked) {
    const byTarget = pathsFrom(source, csr, new Set(linked), linkedBeside)
    for (const target of linked) {
      const paths = byTarget.get(target)
      if (!paths) continue
      const flow = flowOver(source, target, paths, csr.nodes, options)
      const weighed = paths.map((nodes): FlowPath => ({ nodes, weight: meanFlow(nodes, flow, csr.nodes) }))
      // Twice as many suffice: a pair has at most two paths over the same entities.
      found.push(...weighed.sort(byWeight).slice(0, 2 * options.paths))
    }
  }
  const distinct = new Map<string, FlowPath>()
  for (const path of found.sort(byWeight)) {
    const key = [...path.nodes].sort().join(' ')
    if (!distinct.has(key)) distinct.set(key, path)
  }
  return [...distinct.values()].slice(0, options.paths)
}

const byWeight = (a: FlowPath, b: FlowPath) => b.weight - a.weight

const neighbours = ({ offsets, targets }: Csr, node: number) =>
  targets.subarray(offsets[node], offsets[node + 1])

/** Linked entities of each node. */
function neighboursAmong(linked: readonly number[], csr: Csr): ReadonlyMap<number, readonly number[]> {
  const beside = new Map<number, number[]>()
  for (const entity of linked)
    for (const node of neighbours(csr, entity)) beside.set(node, [...(beside.get(node) ?? []), entity])
  return beside
}

/** Simple paths of 1 to 3 edges from `source` to each other linked entity, in the order of their rows. */
function pathsFrom(
  source: number,
  csr: Csr,
  linked: ReadonlySet<number>,
  linkedBeside: ReadonlyMap<number, readonly number[]>,
): Map<number, number[][]> {
  const paths = new Map<number, number[][]>()
  const add = (path: number[]) => {
    const target = path[path.length - 1]
    const known = paths.get(target)
    if (known) known.push(path)
    else paths.set(target, [path])
  }
  for (const first of neighbours(csr, source)) {
    if (linked.has(first)) add([source, first])
    for (const second of neighbours(csr, first)) {
      if (second === source) continue
      if (linked.has(second)) add([source, first, second])
      for (const target of linkedBeside.get(second) ?? [])
        if (target !== source && target !== first) add([source, first, second, target])
    }
  }
  return paths
}

/** Flow by edge, keyed by `u * nodes + v`. */
function flowOver(
  source: number,
  target: number,
  paths: readonly (readonly number[])[],
  nodes: number,
  { threshold, decay }: FlowOptions,
): Map<number, number> {
  const followers = followersOn(paths)
  const flow = new Map<number, number>()
  const pass = (from: number, to: number, amount: number) => {
    const sum = (flow.get(from * nodes + to) ?? 0) + amount
    flow.set(from * nodes + to, sum)
    return sum
  }
  const spread = (from: number, arriving: number, edge: number) => {
    const next = followers.get(from) as number[]
    for (const to of next) {
      const flowing = pass(from, to, arriving / next.length)
      if (to !== target && edge < 3 && flowing > threshold) spread(to, flowing * decay, edge + 1)
    }
  }
  spread(source, 1, 1)
  return flow
}

/** Edges of a path, in order. */
export function edgesOf(path: readonly number[]): (readonly [from: number, to: number])[] {
  return path.slice(1).map((to, i) => [path[i], to])
}

function followersOn(paths: readonly (readonly number[])[]): Map<number, number[]> {
  const sets = new Map<number, Set<number>>()
  for (const path of paths)
    for (const [from, to] of edgesOf(path)) {
      const known = sets.get(from)
      if (known) known.add(to)
      else sets.set(from, new Set([to]))
    }
  return new Map([...sets].map(([node, next]) => [node, [...next]]))
}

function meanFlow(path: readonly number[], flow: ReadonlyMap<number, number>, nodes: number): number {
  let sum = 0
  for (const [from, to] of edgesOf(path)) sum += flow.get(from * nodes + to) ?? 0
  return sum / (path.length - 1)
}
