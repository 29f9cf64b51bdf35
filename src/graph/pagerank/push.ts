import { checkDamping, type Walk } from './walk.ts'

/** Where a walk restarts: distinct nodes with weights above 0 (their sum need not be 1). */
export interface SparseReset {
  readonly nodes: ArrayLike<number>
  readonly weights: ArrayLike<number>
}

/** PPR scores of the nodes that were reached, in the order of reaching them. */
export interface PushResult {
  readonly nodes: Uint32Array
  readonly scores: Float64Array
  /** The sum of all scores' errors is at most this; node u's error is at most `epsilon` x strength(u) (before normalising). */
  readonly bound: number
  readonly pushes: number
}

/**
 * Forward push: only the neighbourhood of the reset is touched (see walk.ts for the equation).
 *
 * Every node holds an estimate p and a residual r, with y = p + sum over u of r[u] ppr(u). A push moves (1 - damping)
 * of a residual to the estimate and spreads the rest along the edges. Nodes are pushed first in, first out while
 * r[u] > epsilon x strength(u); on an undirected graph this leaves each estimate too low by at most
 * epsilon x strength(u), and all of them together by at most the sum of residuals.
 * (Andersen, Chung, Lang: Local graph partitioning using PageRank vectors, FOCS 2006.)
 */
export function push(walk: Walk, reset: SparseReset, damping: number, epsilon = 1e-9): PushResult {
  checkDamping(damping)
  const { nodes, offsets, targets, weights } = walk.csr
  const { strengths } = walk
  const estimate = new Float64Array(nodes)
  const residual = new Float64Array(nodes)
  const queued = new Uint8Array(nodes)
  const seen = new Uint8Array(nodes)
  const reached: number[] = []
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
    if (queued[u]) continue
    queued[u] = 1
    seen[u] = 1
    reached.push(u)
    queue.add(u)
  }
  let pushes = 0
  let lost = 0
  for (let u = queue.take(); u >= 0; u = queue.take()) {
    queued[u] = 0
    const mass = residual[u]
    residual[u] = 0
    estimate[u] += (1 - damping) * mass
    pushes++
    const strength = strengths[u]
    if (strength === 0) {
      lost += damping * mass
      continue
    }
    const share = (damping * mass) / strength
    for (let i = offsets[u]; i < offsets[u + 1]; i++) {
      const w = targets[i]
      residual[w] += share * weights[i]
      if (queued[w] || residual[w] <= epsilon * strengths[w]) continue
      queued[w] = 1
      queue.add(w)
      if (!seen[w]) {
        seen[w] = 1
        reached.push(w)
      }
    }
  }
  let held = 0
  for (const u of reached) held += estimate[u]
  // Mass is neither made nor lost: estimates, residuals and what fell off at dangling nodes sum to 1.
  const total = 1 - lost
  const scores = Float64Array.from(reached, (u) => estimate[u] / total)
  return { nodes: Uint32Array.from(reached), scores, bound: Math.max(0, 1 - held - lost) / total, pushes }
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
