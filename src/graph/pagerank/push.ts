import { checkDamping, type Walk } from './walk.ts'

/** Where a walk restarts: distinct nodes with weights above 0 (their sum need not be 1). */
export interface SparseReset {
  readonly nodes: ArrayLike<number>
  readonly weights: ArrayLike<number>
}

/** How far the walk is followed; what is reached first ends it. */
export interface PushLimits {
  /** No residual above this times the node's strength is left. */
  readonly epsilon: number
  /** Edges that are looked at: the time a query may take, as a number that is the same on every machine. */
  readonly edges: number
}

/** PPR scores of the nodes that were reached, in the order of reaching them. */
export interface PushResult {
  readonly nodes: Uint32Array
  readonly scores: Float64Array
  /** The sum of all scores' errors is at most this; none is too high but by normalising. */
  readonly bound: number
  /** The epsilon that was reached. */
  readonly epsilon: number
}

const LIMITS: PushLimits = { epsilon: 1e-12, edges: 1_000_000 }
const FIRST_EPSILON = 1e-3
const STEP = 4

/**
 * Forward push: only the neighbourhood of the reset is touched (see walk.ts for the equation).
 *
 * Every node holds an estimate p and a residual r, with y = p + sum over u of r[u] ppr(u). A push moves (1 - damping)
 * of a residual to the estimate and spreads the rest along the edges. Nodes are pushed first in, first out while
 * r[u] > epsilon x strength(u), for an epsilon that becomes smaller by and by, so that large residuals go first; on an
 * undirected graph this leaves each estimate too low by at most epsilon x strength(u), and all of them together by at
 * most the sum of residuals. In the end each residual gives its (1 - damping) where it stands, which is nearer still.
 * (Andersen, Chung, Lang: Local graph partitioning using PageRank vectors, FOCS 2006.)
 */
export function push(walk: Walk, reset: SparseReset, damping: number, limits = LIMITS): PushResult {
  checkDamping(damping)
  const { nodes, offsets, targets, weights } = walk.csr
  const { strengths } = walk
  const estimate = new Float64Array(nodes)
  const residual = new Float64Array(nodes)
  /** 1: touched, 2: touched and in the queue. */
  const state = new Uint8Array(nodes)
  const touched = new Uint32Array(nodes)
  let count = 0
  const queue = createQueue()
  let sum = 0
  for (let i = 0; i < reset.nodes.length; i++) sum += reset.weights[i]
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) throw new Error(`the reset weights sum to ${sum}`)
  for (let i = 0; i < reset.nodes.length; i++) {
    const u = reset.nodes[i]
    if (!(u < nodes) || !(reset.weights[i] >= 0))
      throw new Error(`reset weight ${reset.weights[i]} of node ${u}`)
    if (reset.weights[i] === 0) continue
    residual[u] += reset.weights[i] / sum
    if (state[u] === 0) touched[count++] = u
    state[u] = 1
  }
  let lost = 0
  let edges = 0
  let epsilon = FIRST_EPSILON * STEP
  while (epsilon > limits.epsilon && edges < limits.edges) {
    epsilon = Math.max(limits.epsilon, epsilon / STEP)
    for (let i = 0; i < count; i++) {
      const u = touched[i]
      if (residual[u] <= epsilon * strengths[u]) continue
      state[u] = 2
      queue.add(u)
    }
    for (let u = queue.take(); u >= 0; u = queue.take()) {
      state[u] = 1
      if (edges >= limits.edges) continue
      const mass = residual[u]
      residual[u] = 0
      estimate[u] += (1 - damping) * mass
      const strength = strengths[u]
      if (strength === 0) {
        lost += damping * mass
        continue
      }
      const share = (damping * mass) / strength
      const end = offsets[u + 1]
      edges += end - offsets[u]
      for (let i = offsets[u]; i < end; i++) {
        const w = targets[i]
        residual[w] += share * weights[i]
        if (state[w] === 2) continue
        if (state[w] === 0) {
          state[w] = 1
          touched[count++] = w
        }
        if (residual[w] <= epsilon * strengths[w]) continue
        state[w] = 2
        queue.add(w)
      }
    }
  }
  let left = 0
  let reached = 0
  for (let i = 0; i < count; i++) {
    const u = touched[i]
    left += residual[u]
    if (residual[u] > reached * strengths[u])
      reached = strengths[u] > 0 ? residual[u] / strengths[u] : reached
  }
  // Mass is neither made nor lost: estimates, residuals and what fell off at nodes without edges sum to 1.
  const total = 1 - lost
  const scores = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const u = touched[i]
    scores[i] = (estimate[u] + (1 - damping) * residual[u]) / total
  }
  return { nodes: touched.slice(0, count), scores, bound: (damping * left) / total, epsilon: reached }
}

/** First in, first out; a ring that doubles when full. */
function createQueue() {
  let ring = new Int32Array(1024)
  let first = 0
  let size = 0
  function add(u: number): void {
    if (size === ring.length) {
      const longer = new Int32Array(2 * size)
      for (let i = 0; i < size; i++) longer[i] = ring[(first + i) & (size - 1)]
      ring = longer
      first = 0
    }
    ring[(first + size++) & (ring.length - 1)] = u
  }
  /** The oldest, or -1. */
  function take(): number {
    if (size === 0) return -1
    const u = ring[first]
    first = (first + 1) & (ring.length - 1)
    size--
    return u
  }
  return { add, take }
}
