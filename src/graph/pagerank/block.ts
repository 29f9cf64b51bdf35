import { boundNeeded } from './settled.ts'
import { sweepEight, sweepOne } from './sweep.ts'
import { checkDamping, normalizedReset, type Walk } from './walk.ts'

export interface BlockOptions {
  readonly damping: number
  /** Only nodes from `from` to `to` - 1 are ranked and returned; the others only carry the walk. */
  readonly from: number
  readonly to: number
  /** How many of the ranked nodes must stand in their final order. */
  readonly depth: number
  /** Where every query starts: scores of all nodes, as `power` gives them. */
  readonly start: Float64Array
}

const LANES = 8
/** Ties never settle; where the error is this small beside the largest z, they are left to stand. */
const FLOOR = 1e-15

/**
 * Personalised PageRank of dense reset vectors, eight of which share each pass over the edges (see walk.ts for the
 * equation, in z). Chebyshev's semi-iteration, since the walk on an undirected graph has a real spectrum in [-1, 1]:
 *
 *     g = damping P z[k] + c,   c = (1 - damping) v / strength
 *     z[k+1] = z[k-1] + omega[k+1] (g - z[k-1])
 *     omega[1] = 1,  omega[2] = 1 / (1 - damping^2 / 2),  omega[k+1] = 1 / (1 - damping^2 omega[k] / 4)
 *
 * A pass shrinks the error by .27 at damping 0.5, where plain power iteration has .5. The residual g - z bounds the
 * error of g, whatever led to z: max |error(g)| <= damping / (1 - damping) max |g - z|. A query is frozen, by itself,
 * at the first g whose bound cannot change the order of its first `depth` rows. No lane reads another lane: a query
 * gets the same bits in any block or alone. (Golub & Van Loan, Matrix Computations, 4th ed., 11.2.8.)
 *
 * Returns for each reset the scores of nodes `from` to `to` - 1.
 */
export function blockPower(
  walk: Walk,
  resets: readonly ArrayLike<number>[],
  options: BlockOptions,
): Float64Array[] {
  checkDamping(options.damping)
  const results: Float64Array[] = []
  for (let first = 0; first < resets.length; first += LANES)
    results.push(...solve(walk, resets.slice(first, first + LANES), options))
  return results
}

function solve(walk: Walk, resets: readonly ArrayLike<number>[], options: BlockOptions): Float64Array[] {
  const { damping, from, to, depth, start } = options
  const { csr, strengths } = walk
  const lanes = resets.length === 1 ? 1 : LANES
  const sweep = lanes === 1 ? sweepOne : sweepEight
  const reset = resets.map((one) => normalizedReset(walk, one))
  const constant = new Float64Array(csr.nodes * lanes)
  const scale = new Float64Array(csr.nodes)
  let z = new Float64Array(csr.nodes * lanes)
  let before = new Float64Array(csr.nodes * lanes)
  const g = new Float64Array(csr.nodes * lanes)
  for (let u = 0; u < csr.nodes; u++) {
    if (strengths[u] === 0) continue
    scale[u] = damping / strengths[u]
    for (let lane = 0; lane < resets.length; lane++) {
      constant[u * lanes + lane] = ((1 - damping) * reset[lane][u]) / strengths[u]
      z[u * lanes + lane] = start[u] / strengths[u]
    }
  }
  const results = new Array<Float64Array | undefined>(resets.length).fill(undefined)
  const checkBelow = new Float64Array(resets.length).fill(Number.POSITIVE_INFINITY)
  const residual = new Float64Array(lanes)
  const largest = new Float64Array(lanes)
  const ranked = strengths.subarray(from, to)
  // Rounding may keep the bound above the floor; after twice the passes that the theory asks for, it is reached.
  const rate = damping / (1 + Math.sqrt(1 - damping * damping))
  const lastPass = damping === 0 ? 1 : Math.ceil((2 * Math.log(FLOOR)) / Math.log(rate))
  let open = resets.length
  let omega = 1
  for (let pass = 1; ; pass++) {
    sweep(csr, scale, constant, z, g, residual, largest)
    for (let lane = 0; lane < resets.length; lane++) {
      if (results[lane]) continue
      const bound = (damping / (1 - damping)) * residual[lane]
      const tied = bound <= FLOOR * largest[lane] || pass >= lastPass
      if (bound > checkBelow[lane] && !tied) continue
      const scores = scoresOf(g, lanes, lane, reset[lane], options, strengths)
      const needed = boundNeeded(scores, ranked, bound, depth)
      // The estimates still move: a pair may be further apart than it looks now.
      checkBelow[lane] = 2 * needed
      if (needed !== Number.POSITIVE_INFINITY && !tied) continue
      results[lane] = normalize(scores, walk, reset[lane], damping)
      open--
    }
    if (open === 0) return results as Float64Array[]
    if (pass > 1) omega = 1 / (1 - (damping * damping * omega) / (pass === 2 ? 2 : 4))
    for (let i = 0; i < g.length; i++) before[i] += omega * (g[i] - before[i])
    ;[z, before] = [before, z]
  }
}

/** y of the ranked nodes. A node without edges has (1 - damping) v, exactly. */
function scoresOf(
  g: Float64Array,
  lanes: number,
  lane: number,
  reset: Float64Array,
  { from, to, damping }: BlockOptions,
  strengths: Float64Array,
): Float64Array {
  const scores = new Float64Array(to - from)
  for (let u = from; u < to; u++)
    scores[u - from] = strengths[u] > 0 ? g[u * lanes + lane] * strengths[u] : (1 - damping) * reset[u]
  return scores
}

/** y / sum(y); only the mass that restarts on a node without edges is lost: sum(y) = 1 - damping v(dangling). */
function normalize(
  scores: Float64Array,
  { strengths }: Walk,
  reset: Float64Array,
  damping: number,
): Float64Array {
  let dangling = 0
  for (let u = 0; u < reset.length; u++) if (strengths[u] === 0) dangling += reset[u]
  const total = 1 - damping * dangling
  for (let row = 0; row < scores.length; row++) scores[row] /= total
  return scores
}
