import { type PushLimits, push } from './push.ts'
import { relaxation } from './relaxation.ts'
import { openSweep } from './sweep.ts'
import { resetSum, type SparseReset, type Walk } from './walk.ts'

/** Nodes that a walk reaches, in no particular order, and their scores, which sum to 1. */
export interface SparseScores {
  readonly nodes: Uint32Array
  readonly scores: Float64Array
  /** The sum of all scores' errors is at most this. */
  readonly bound: number
  /** Whether the walk was broken off with more to come: the graph is too large to be walked whole for one query. */
  readonly cut: boolean
}

/** A push ends where no residual is above `epsilon` x the node's strength, or where it has looked at so many edges. */
const PUSHED: PushLimits = { epsilon: 1e-12, edges: 300_000 }
/** A graph is swept where that looks at no more edges than this: the time that a query may take, alike on all machines. */
const MOST_SWEPT = 6_500_000
/** Sweeps end where no z is off by more than this, beside the largest; where rounding stalls them before, by `STALLED`. */
const SETTLED = 1e-13
const STALLED = 1e-9
/** So many times the sweeps that a graph in two colours takes, for which their number is known; others take some more. */
const LONGER = 3

/**
 * Personalised PageRank of a sparse reset: by forward push, which touches the neighbourhood of the reset only. Where
 * that does not come to an end, because the walk is long or the graph well connected, a graph of moderate size is swept
 * on from there, to about 1e-13 of the largest score; on a larger one the walk is cut, and told to be.
 */
export function sparsePower(
  walk: Walk,
  reset: SparseReset,
  damping: number,
  pushed: PushLimits = PUSHED,
): SparseScores {
  const { nodes, scores, bound, done } = push(walk, reset, damping, pushed)
  const near = { nodes, scores, bound }
  if (done) return { ...near, cut: false }
  const swept = relaxation(damping).sweepsTo(SETTLED) * walk.csr.targets.length
  return swept > MOST_SWEPT ? { ...near, cut: true } : sweepOn(walk, reset, damping, near)
}

/** Sweeps a graph, one lane, from the scores that a push has found. */
function sweepOn(
  walk: Walk,
  reset: SparseReset,
  damping: number,
  near: Pick<SparseScores, 'nodes' | 'scores'>,
): SparseScores {
  const { nodes } = walk.csr
  const sweep = openSweep(walk, { from: 0, to: nodes })
  const { places, strengths, inverse, connected, constant, z } = sweep
  const { omega, bound, sweepsTo } = relaxation(damping)
  const { sum, dangling } = resetSum(walk, reset)
  // Only the mass that restarts on a node without edges is lost: y sums to sum - damping x dangling.
  const share = (1 - damping) / (sum - damping * dangling)
  sweep.setScale(damping)
  constant.fill(0, 0, nodes)
  z.fill(0, 0, nodes)
  near.nodes.forEach((u, i) => {
    const place = places[u]
    if (place < connected) z[place] = near.scores[i] * inverse[place]
  })
  for (let i = 0; i < reset.nodes.length; i++) {
    const place = places[reset.nodes[i]]
    const value = share * reset.weights[i]
    if (place < connected) constant[place] += value * inverse[place]
    else z[place] += value
  }
  const most = LONGER * sweepsTo(SETTLED)
  let error = Number.POSITIVE_INFINITY
  let size = Number.POSITIVE_INFINITY
  for (let sweeps = 0; sweeps < most && size > SETTLED; sweeps++) {
    sweep.run(1, omega)
    error = bound(sweep.changed[0])
    size = error / sweep.largest[0]
  }
  constant.fill(0, 0, nodes)
  const found = Uint32Array.from({ length: nodes }, (_, u) => u).filter((u) => z[places[u]] > 0)
  const scores = Float64Array.from(found, (u) => {
    const place = places[u]
    return place < connected ? strengths[place] * z[place] : z[place]
  })
  const whole = strengths.reduce((a, b) => a + b, 0)
  return { nodes: found, scores, bound: error * whole, cut: size > STALLED }
}
