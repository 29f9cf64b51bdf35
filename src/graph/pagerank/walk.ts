import { type Csr, strengths } from '../csr.ts'

/**
 * Personalised PageRank on an undirected weighted graph, in the convention shared by all kernels of this folder:
 *
 *     x = (1 - damping) v + damping (P^T x + dangling(x) v)
 *
 * v is the reset vector with sum 1, P[u][w] = weight(u, w) / strength(u), `damping` the probability of following an
 * edge, and the mass on nodes without edges (dangling) goes back to v. The solution is proportional to that of
 *
 *     y = (1 - damping) v + damping P^T y          (dangling mass lost)
 *
 * since x = (1 - damping + damping dangling(x)) v + damping P^T x; so the kernels solve for y, which is linear in v,
 * and divide by its sum. With z = y / strength, P^T becomes the row-stochastic P, and an error shrinks by the
 * factor `damping` in the largest |z| as well as in the sum of |y|: both bound what is still to come.
 * (Haveliwala, WWW 2002; dangling mass as in igraph's PRPACK with u = v.)
 */
export interface Walk {
  readonly csr: Csr
  /** Sum of each node's edge weights. */
  readonly strengths: Float64Array
}

/** Where a walk restarts: distinct nodes with weights above 0 (their sum need not be 1). */
export interface SparseReset {
  readonly nodes: ArrayLike<number>
  readonly weights: ArrayLike<number>
}

/** What every kernel needs of a graph besides its edges. */
export function createWalk(csr: Csr): Walk {
  return { csr, strengths: strengths(csr) }
}

/** A copy of `reset` with sum 1. Throws where it is not as long as the graph, has a bad entry, or is zero everywhere. */
export function normalizedReset(walk: Walk, reset: ArrayLike<number>): Float64Array {
  if (reset.length !== walk.csr.nodes)
    throw new Error(`the reset vector has ${reset.length} entries, the graph ${walk.csr.nodes} nodes`)
  let sum = 0
  for (let u = 0; u < reset.length; u++) {
    if (!(reset[u] >= 0 && reset[u] < Number.POSITIVE_INFINITY))
      throw new Error(`reset weight ${reset[u]} of node ${u}`)
    sum += reset[u]
  }
  if (sum === 0) throw new Error('the reset vector is zero everywhere')
  const normalized = new Float64Array(reset.length)
  for (let u = 0; u < reset.length; u++) normalized[u] = reset[u] / sum
  return normalized
}

/**
 * The sum of a sparse reset's weights, and the part of it on nodes without edges. Throws where it has a bad entry.
 */
export function resetSum(
  { csr, strengths }: Walk,
  { nodes, weights }: SparseReset,
): { readonly sum: number; readonly dangling: number } {
  let sum = 0
  let dangling = 0
  for (let i = 0; i < nodes.length; i++) {
    if (!(nodes[i] < csr.nodes) || !(weights[i] >= 0 && weights[i] < Number.POSITIVE_INFINITY))
      throw new Error(`reset weight ${weights[i]} of node ${nodes[i]}`)
    sum += weights[i]
    if (strengths[nodes[i]] === 0) dangling += weights[i]
  }
  return { sum, dangling }
}

/** Weights that sum to 0, or beyond all numbers, are no distribution. */
export function checkSum(sum: number): void {
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) throw new Error(`the reset weights sum to ${sum}`)
}

/** A damping outside [0, 1) has no solution. */
export function checkDamping(damping: number): void {
  if (!(damping >= 0 && damping < 1)) throw new Error(`damping ${damping} is not in [0, 1)`)
}
