import { packEdges } from './pack.ts'
import { checkDamping, type Walk } from './walk.ts'

/** Where a walk restarts: distinct nodes with weights above 0 (their sum need not be 1). */
export interface SparseReset {
  readonly nodes: ArrayLike<number>
  readonly weights: ArrayLike<number>
}

/** A sparse reset with a place for each of `nodes` nodes. */
export function spread({ nodes, weights }: SparseReset, size: number): Float64Array {
  const reset = new Float64Array(size)
  for (let i = 0; i < nodes.length; i++) reset[nodes[i]] += weights[i]
  return reset
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

const LIMITS: PushLimits = { epsilon: 1e-12, edges: 300_000 }
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
export function push(walk: Walk, reset: SparseReset, damping: number, limits = LIMITS): PushResult {
  checkDamping(damping)
  const { nodes } = walk.csr
  const { offsets, edges: packed, weights } = roomOf(walk)
  const { strengths } = walk
  let sum = 0
  for (let i = 0; i < reset.nodes.length; i++) sum += reset.weights[i]
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY)) throw new Error(`the reset weights sum to ${sum}`)
  for (let i = 0; i < reset.nodes.length; i++) {
    const u = reset.nodes[i]
    if (!(u < nodes) || !(reset.weights[i] >= 0))
      throw new Error(`reset weight ${reset.weights[i]} of node ${u}`)
  }
  const { estimate, residual, reached, touched } = roomOf(walk)
  let count = 0
  for (let i = 0; i < reset.nodes.length; i++) {
    const u = reset.nodes[i]
    if (reset.weights[i] === 0) continue
    if (reached[u] === 0) touched[count++] = u
    reached[u] = 1
    residual[u] += reset.weights[i] / sum
  }
  let lost = 0
  let edges = 0
  let epsilon = FIRST_EPSILON
  while (edges < limits.edges) {
    let pushed = false
    // Nodes that are reached on the way stand behind, and have their turn in the same round.
    for (let i = 0; i < count && edges < limits.edges; i++) {
      const u = touched[i]
      const mass = residual[u]
      const strength = strengths[u]
      if (mass <= epsilon * strength) continue
      pushed = true
      residual[u] = 0
      estimate[u] += (1 - damping) * mass
      if (strength === 0) {
        lost += damping * mass
        continue
      }
      const share = (damping * mass) / strength
      const end = offsets[u + 1]
      edges += end - offsets[u]
      for (let at = offsets[u]; at < end; at++) {
        const w = packed[2 * at]
        residual[w] += share * weights[2 * at + 1]
        if (reached[w] === 0) {
          reached[w] = 1
          touched[count++] = w
        }
      }
    }
    if (pushed) continue
    if (epsilon <= limits.epsilon) break
    epsilon = Math.max(limits.epsilon, epsilon / STEP)
  }
  let left = 0
  let least = 0
  for (let i = 0; i < count; i++) {
    const u = touched[i]
    left += residual[u]
    if (residual[u] > least * strengths[u]) least = strengths[u] > 0 ? residual[u] / strengths[u] : least
  }
  // Mass is neither made nor lost: estimates, residuals and what fell off at nodes without edges sum to 1.
  const total = 1 - lost
  const scores = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const u = touched[i]
    scores[i] = (estimate[u] + (1 - damping) * residual[u]) / total
  }
  const found = touched.slice(0, count)
  for (const u of found) {
    estimate[u] = 0
    residual[u] = 0
    reached[u] = 0
  }
  return { nodes: found, scores, bound: (damping * left) / total, epsilon: least }
}

/** What a walk writes on, all zeros between walks: taking a large graph's anew costs more than many walks. */
interface Room {
  readonly offsets: Uint32Array
  readonly edges: Uint32Array
  readonly weights: Float32Array
  readonly estimate: Float64Array
  readonly residual: Float64Array
  readonly reached: Uint8Array
  /** The reached nodes, in the order of being reached. */
  readonly touched: Uint32Array
}

const rooms = new WeakMap<Walk, Room>()

function roomOf(walk: Walk): Room {
  const known = rooms.get(walk)
  if (known) return known
  const { nodes } = walk.csr
  const { offsets, edges } = packEdges(walk.csr)
  const room = {
    offsets,
    edges,
    weights: new Float32Array(edges.buffer),
    estimate: new Float64Array(nodes),
    residual: new Float64Array(nodes),
    reached: new Uint8Array(nodes),
    touched: new Uint32Array(nodes),
  }
  rooms.set(walk, room)
  return room
}
