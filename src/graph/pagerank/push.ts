import { openRounds, UNREACHED } from './rounds.ts'
import { checkDamping, checkSum, resetSum, type SparseReset, type Walk } from './walk.ts'

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
  /** Whether it is the one that was asked for; else the edges ran out. */
  readonly done: boolean
}

const FIRST_EPSILON = 1e-3
const STEP = 8

/**
 * Forward push: only the neighbourhood of the reset is touched (see walk.ts for the equation).
 *
 * Every node holds an estimate p and a residual r, with y = p + sum over u of r[u] ppr(u). A push moves (1 - damping)
 * of a residual to the estimate and spreads the rest along the edges. Nodes are pushed in rounds while
 * r[u] > epsilon x strength(u), for an epsilon that becomes smaller by and by, so that large residuals go first; on an
 * undirected graph this leaves each estimate too low by at most epsilon x strength(u), and all of them together by at
 * most the sum of residuals. In the end each residual gives its (1 - damping) where it stands, which is nearer still.
 * (Andersen, Chung, Lang: Local graph partitioning using PageRank vectors, FOCS 2006.)
 */
export function push(walk: Walk, reset: SparseReset, damping: number, limits: PushLimits): PushResult {
  checkDamping(damping)
  const { sum } = resetSum(walk, reset)
  checkSum(sum)
  const room = openRounds(walk)
  const { estimate, residual, touched } = room
  let count = 0
  for (let i = 0; i < reset.nodes.length; i++) {
    const u = reset.nodes[i]
    if (reset.weights[i] === 0) continue
    if (residual[u] === UNREACHED) {
      touched[count++] = u
      residual[u] = 0
    }
    residual[u] += reset.weights[i] / sum
  }
  room.begin(count)
  let epsilon = FIRST_EPSILON
  let done = false
  while (room.edges() < limits.edges) {
    // Nodes that are reached on the way stand behind, and have their turn in the same round.
    if (room.run(epsilon, damping, limits.edges)) continue
    if (epsilon <= limits.epsilon) {
      done = true
      break
    }
    epsilon = Math.max(limits.epsilon, epsilon / STEP)
  }
  const found = touched.slice(0, room.reached())
  // Mass is neither made nor lost: estimates, residuals and what fell off at nodes without edges sum to 1.
  const total = 1 - room.lost()
  const { strengths } = walk
  const scores = new Float64Array(found.length)
  let left = 0
  let least = 0
  for (let i = 0; i < found.length; i++) {
    const u = found[i]
    const rest = residual[u]
    scores[i] = (estimate[u] + (1 - damping) * rest) / total
    estimate[u] = 0
    residual[u] = UNREACHED
    left += rest
    const strength = strengths[u]
    if (rest > least * strength && strength > 0) least = rest / strength
  }
  return { nodes: found, scores, bound: (damping * left) / total, epsilon: least, done }
}
