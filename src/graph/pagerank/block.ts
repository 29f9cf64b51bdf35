import { boundNeeded } from './settled.ts'
import { type Sweep, sweepEight, sweepOne } from './sweep.ts'
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

/** Ties never settle; where the error is this small beside the largest z, they are left to stand. */
const FLOOR = 1e-15

/** A query on its way, in its own lane. */
interface Walker {
  readonly query: number
  readonly reset: Float64Array
  passes: number
  /** The bound at which looking at the order makes sense again. */
  checkBelow: number
}

/**
 * Personalised PageRank of dense reset vectors, eight of which share each pass over the edges (see walk.ts for the
 * equation, in z). Chebyshev's semi-iteration, since the walk on an undirected graph has a real spectrum in [-1, 1]:
 *
 *     g = damping P z[k] + c,   c = (1 - damping) v / strength
 *     z[k+1] = z[k-1] + omega[k+1] (g - z[k-1])
 *     omega[1] = 1,  omega[2] = 1 / (1 - damping^2 / 2),  omega[k+1] = 1 / (1 - damping^2 omega[k] / 4)
 *
 * A pass shrinks the error by .27 at damping 0.5, where plain power iteration has .5. The residual g - z bounds the
 * error of z, whatever led to it: max |error(z)| <= max |g - z| / (1 - damping). A query is frozen, by itself, at the
 * first z whose bound cannot change the order of its first `depth` rows; the next one takes its lane. No lane reads
 * another: a query gets the same bits in any block or alone. (Golub & Van Loan, Matrix Computations, 4th ed., 11.2.8.)
 *
 * Returns for each reset the scores of nodes `from` to `to` - 1.
 */
export function blockPower(
  walk: Walk,
  resets: readonly ArrayLike<number>[],
  options: BlockOptions,
): Float64Array[] {
  const { damping, from, to, depth } = options
  checkDamping(damping)
  const sweep = resets.length === 1 ? sweepOne(walk.csr) : sweepEight(walk.csr)
  clear(sweep, walk, damping)
  // Rounding may keep the bound above the floor; after twice the passes that the theory asks for, it is reached.
  const rate = damping / (1 + Math.sqrt(1 - damping * damping))
  const lastPass = damping === 0 ? 2 : Math.ceil((2 * Math.log(FLOOR)) / Math.log(rate))
  const strengths = walk.strengths.subarray(from, to)
  const results = new Array<Float64Array>(resets.length)
  const walkers = new Array<Walker | undefined>(sweep.lanes).fill(undefined)
  let next = 0
  let open = 0
  for (;;) {
    for (let lane = 0; lane < sweep.lanes && next < resets.length; lane++) {
      if (walkers[lane]) continue
      const reset = normalizedReset(walk, resets[next])
      walkers[lane] = { query: next++, reset, passes: 0, checkBelow: Number.POSITIVE_INFINITY }
      load(sweep, lane, walk, reset, options)
      open++
    }
    if (open === 0) return results
    walkers.forEach((walker, lane) => {
      if (walker) sweep.omega[lane] = nextOmega(++walker.passes, sweep.omega[lane], damping)
    })
    sweep.run()
    walkers.forEach((walker, lane) => {
      if (!walker) return
      const bound = sweep.residual[lane] / (1 - damping)
      const tied = bound <= FLOOR * sweep.largest[lane] || walker.passes >= lastPass
      if (bound > walker.checkBelow && !tied) return
      const scores = scoresOf(sweep, lane, walk, walker.reset, options)
      const needed = boundNeeded(scores, strengths, bound, depth)
      // The estimates still move: a pair may be further apart than it looks now.
      walker.checkBelow = 2 * needed
      if (needed !== Number.POSITIVE_INFINITY && !tied) return
      results[walker.query] = normalize(scores, walk, walker.reset, damping)
      walkers[lane] = undefined
      open--
    })
    sweep.swap()
  }
}

function nextOmega(pass: number, omega: number, damping: number): number {
  return pass === 1 ? 1 : 1 / (1 - (damping * damping * omega) / (pass === 2 ? 2 : 4))
}

function clear(sweep: Sweep, { csr, strengths }: Walk, damping: number): void {
  for (let u = 0; u < csr.nodes; u++) sweep.scale[u] = strengths[u] > 0 ? damping / strengths[u] : 0
  for (const numbers of [sweep.constant, sweep.z, sweep.before, sweep.omega]) numbers.fill(0)
}

/** Puts a query at its start. */
function load(
  { lanes, constant, z, before }: Sweep,
  lane: number,
  { csr, strengths }: Walk,
  reset: Float64Array,
  { damping, start }: BlockOptions,
): void {
  for (let u = 0, at = lane; u < csr.nodes; u++, at += lanes) {
    const strength = strengths[u]
    constant[at] = strength > 0 ? ((1 - damping) * reset[u]) / strength : 0
    z[at] = strength > 0 ? start[u] / strength : 0
    before[at] = 0
  }
}

/** y of the ranked nodes. A node without edges has (1 - damping) v, exactly. */
function scoresOf(
  { lanes, z }: Sweep,
  lane: number,
  { strengths }: Walk,
  reset: Float64Array,
  { from, to, damping }: BlockOptions,
): Float64Array {
  const scores = new Float64Array(to - from)
  for (let u = from; u < to; u++)
    scores[u - from] = strengths[u] > 0 ? z[u * lanes + lane] * strengths[u] : (1 - damping) * reset[u]
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
