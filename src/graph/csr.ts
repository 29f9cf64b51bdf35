/**
 * An undirected weighted graph as compressed sparse rows: the neighbours of node u are `targets[offsets[u]]` to
 * `targets[offsets[u + 1] - 1]`, ascending and distinct, with their weights beside them. Every edge stands twice, once
 * for each end; a self edge, where kept, stands once. Parallel edges are summed.
 */
export interface Csr {
  readonly nodes: number
  /** nodes + 1 entries. */
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  /** All greater than 0. */
  readonly weights: Float64Array
}

/** Edges as columns: edge e joins `sources[e]` and `targets[e]`. Weights are 1 where absent. */
export interface EdgeColumns {
  readonly sources: ArrayLike<number>
  readonly targets: ArrayLike<number>
  readonly weights?: ArrayLike<number>
}

/** What was left out of a graph, and how often. */
export interface Refused {
  /** An end that is no node. */
  readonly dangling: number
  /** A weight that is not a finite number, or is negative. */
  readonly badWeights: number
  /** A weight of 0: no edge. */
  readonly zeroWeights: number
  readonly selfEdges: number
}

/**
 * Builds the graph of `nodes` nodes. Edges that cannot be (see `Refused`) are left out and counted, never fatal; self
 * edges are left out unless `selfEdges` is 'keep'. Linear: two passes of counting sort, no comparison sort.
 */
export function buildCsr(
  nodes: number,
  edges: EdgeColumns,
  selfEdges: 'drop' | 'keep' = 'drop',
): { readonly csr: Csr; readonly refused: Refused } {
  const { sources, targets, weights } = edges
  const refused = { dangling: 0, badWeights: 0, zeroWeights: 0, selfEdges: 0 }
  const count = sources.length
  const taken = new Uint8Array(count)
  const byTarget = new Uint32Array(nodes + 1)
  let entries = 0
  for (let e = 0; e < count; e++) {
    const u = sources[e]
    const v = targets[e]
    const w = weights ? weights[e] : 1
    if (!(u >= 0 && u < nodes && v >= 0 && v < nodes)) refused.dangling++
    else if (!(w >= 0 && w < Number.POSITIVE_INFINITY)) refused.badWeights++
    else if (w === 0) refused.zeroWeights++
    else if (u === v && selfEdges === 'drop') refused.selfEdges++
    else {
      taken[e] = 1
      byTarget[v + 1]++
      entries++
      if (u !== v) {
        byTarget[u + 1]++
        entries++
      }
    }
  }
  // Sorting the entries by target, then stably by source, leaves every row ascending.
  for (let u = 0; u < nodes; u++) byTarget[u + 1] += byTarget[u]
  const offsets = byTarget.slice()
  const from = new Uint32Array(entries)
  const value = new Float64Array(entries)
  const place = byTarget.slice(0, nodes)
  for (let e = 0; e < count; e++) {
    if (taken[e] === 0) continue
    const u = sources[e]
    const v = targets[e]
    const w = weights ? weights[e] : 1
    from[place[v]] = u
    value[place[v]++] = w
    if (u !== v) {
      from[place[u]] = v
      value[place[u]++] = w
    }
  }
  const row = new Uint32Array(entries)
  const weight = new Float64Array(entries)
  // The entries are symmetric, so each node is as often a source as a target.
  place.set(offsets.subarray(0, nodes))
  for (let v = 0; v < nodes; v++)
    for (let i = offsets[v]; i < offsets[v + 1]; i++) {
      const u = from[i]
      row[place[u]] = v
      weight[place[u]++] = value[i]
    }
  return { csr: mergeParallel(nodes, offsets, row, weight), refused }
}

/** Sums equal neighbours, which stand side by side. */
function mergeParallel(
  nodes: number,
  offsets: Uint32Array,
  targets: Uint32Array,
  weights: Float64Array,
): Csr {
  const merged = new Uint32Array(nodes + 1)
  let write = 0
  for (let u = 0; u < nodes; u++) {
    const begin = write
    for (let i = offsets[u]; i < offsets[u + 1]; i++)
      if (write > begin && targets[write - 1] === targets[i]) weights[write - 1] += weights[i]
      else {
        targets[write] = targets[i]
        weights[write++] = weights[i]
      }
    merged[u + 1] = write
  }
  return { nodes, offsets: merged, targets: targets.slice(0, write), weights: weights.slice(0, write) }
}

/** The sum of each node's edge weights; a self edge counts once. */
export function strengths({ nodes, offsets, weights }: Csr): Float64Array {
  const sums = new Float64Array(nodes)
  for (let u = 0; u < nodes; u++) {
    let sum = 0
    for (let i = offsets[u]; i < offsets[u + 1]; i++) sum += weights[i]
    sums[u] = sum
  }
  return sums
}

/** The number of each node's distinct neighbours. */
export function degrees({ nodes, offsets }: Csr): Uint32Array {
  const counts = new Uint32Array(nodes)
  for (let u = 0; u < nodes; u++) counts[u] = offsets[u + 1] - offsets[u]
  return counts
}
