import { type Components, components } from '../components.ts'
import type { Csr } from '../csr.ts'
import { boundNeeded } from './settled.ts'
import { LANES, openSweep, type Sweep } from './sweep.ts'
import { checkDamping, normalizedReset, type Walk } from './walk.ts'

export interface BlockOptions {
  readonly damping: number
  /** Only nodes from `from` to `to` - 1 are ranked and returned; the others only carry the walk. */
  readonly from: number
  readonly to: number
  /** How many of the ranked nodes must stand in their final order. */
  readonly depth: number
  /** Where every query starts: scores of all nodes, as `power` gives them; 0 everywhere where absent. */
  readonly start?: Float64Array
}

/** Ties never settle; where the error is this small beside the largest z, they are left to stand. */
const FLOOR = 1e-15
/** Where rounding keeps an error above the floor, it no longer shrinks. */
const STALLED = 1e-12
/**
 * Before the error is this small beside the largest z, no order is looked at: it would not be final. After a look that
 * found a tie, the error must shrink by `tie` before the next one. A look costs as much as sweeps over some ten edges a
 * ranked row: where the graph has fewer, it is cheaper to sweep on until all but ties must be settled.
 */
const LOOKS = { sparse: { early: 1e-10, tie: 1e-4 }, dense: { early: 1e-5, tie: 0.02 } } as const
const SPARSE = 16

/** A query on its way, in its own lane. */
interface Walker {
  readonly query: number
  readonly reset: Float64Array
  /** Of the ranked nodes, as they stand after the last look. */
  readonly scores: Float64Array
  /** How far each ranked score may be off, in terms of the bound of z. */
  readonly slack: Float64Array
  sweeps: number
  /** The bound after the last sweep. */
  bound: number
  /** The bound at which looking at the order makes sense again. */
  checkBelow: number
}

/**
 * Personalised PageRank, up to eight resets of which share each sweep over the edges (see walk.ts for the equation, in
 * z). Successive over-relaxation: node by node, with what was just computed,
 *
 *     g = damping (P z)[u] + c[u],   c = (1 - damping) v / strength
 *     z[u] += omega (g - z[u]),      omega = 2 / (1 + sqrt(1 - damping^2))
 *
 * It converges, since I - damping P is similar to a symmetric positive definite matrix (Ostrowski), and by about .15 a
 * sweep at damping 0.5, where plain power iteration has .5. After a sweep whose largest change is m, node u is off its
 * equation by (1/omega - 1) of its own change and by what nodes behind it changed later, so
 *
 *     max |error(z)| <= m (1 - 1/omega + damping) / (1 - damping)
 *
 * whatever led to z. A query is frozen, by itself, at the first z whose bound cannot change the order of its first
 * `depth` rows; the next one takes its lane. No lane reads another: a query gets the same bits in any block or alone.
 * (Young, 1950; Varga, Matrix Iterative Analysis, chapters 3 and 4.)
 *
 * Returns for each reset the scores of nodes `from` to `to` - 1.
 */
export function blockPower(
  walk: Walk,
  resets: readonly ArrayLike<number>[],
  options: BlockOptions,
): Float64Array[] {
  const { damping, depth } = options
  checkDamping(damping)
  const sweep = openSweep(walk)
  const lanes = resets.length < 3 ? 1 : LANES
  sweep.setScale(damping)
  sweep.constant.fill(0, 0, lanes * walk.csr.nodes)
  sweep.z.fill(0, 0, lanes * walk.csr.nodes)
  const isSparse = walk.csr.targets.length < SPARSE * (options.to - options.from)
  const { early, tie } = LOOKS[isSparse ? 'sparse' : 'dense']
  const omega = 2 / (1 + Math.sqrt(1 - damping * damping))
  // Rounding may keep an error above the floor for ever. By twice what plain power iteration would need, it has stalled.
  const lastSweep = damping === 0 ? 2 : Math.ceil((2 * Math.log(FLOOR)) / Math.log(damping))
  const results = new Array<Float64Array>(resets.length)
  const walkers = new Array<Walker | undefined>(lanes).fill(undefined)
  let next = 0
  let open = 0
  for (;;) {
    for (let lane = 0; lane < lanes && next < resets.length; lane++) {
      if (walkers[lane]) continue
      const reset = normalizedReset(walk, resets[next])
      load(sweep, lanes, lane, walk, reset, options)
      const slack = slackOf(walk, reset, options)
      const bound = Number.POSITIVE_INFINITY
      const scores = new Float64Array(options.to - options.from)
      walkers[lane] = { query: next++, reset, scores, slack, sweeps: 0, bound, checkBelow: bound }
      open++
    }
    if (open === 0) return results
    sweep.run(lanes, omega)
    walkers.forEach((walker, lane) => {
      if (!walker) return
      const bound = (sweep.changed[lane] * (1 - 1 / omega + damping)) / (1 - damping)
      const size = bound / sweep.largest[lane]
      const stalls = size <= STALLED && bound > 0.9 * walker.bound
      walker.sweeps++
      const tied = bound === 0 || size <= FLOOR || stalls || walker.sweeps >= lastSweep
      walker.bound = bound
      if ((size > early || bound > walker.checkBelow) && !tied) return
      const { scores } = walker
      readScores(scores, sweep, lanes, lane, walk, walker.reset, options)
      const needed = boundNeeded(scores, walker.slack, bound, depth)
      // The estimates still move: a pair may be further apart than it looks now.
      walker.checkBelow = needed > 0 ? 2 * needed : bound * tie
      if (needed !== Number.POSITIVE_INFINITY && !tied) return
      results[walker.query] = normalize(scores, walk, walker.reset, damping)
      walkers[lane] = undefined
      open--
    })
  }
}

/** Puts a query at its start. */
function load(
  { constant, z }: Sweep,
  lanes: number,
  lane: number,
  { csr, strengths }: Walk,
  reset: Float64Array,
  { damping, start }: BlockOptions,
): void {
  for (let u = 0, at = lane; u < csr.nodes; u++, at += lanes) {
    const strength = strengths[u]
    constant[at] = strength > 0 ? ((1 - damping) * reset[u]) / strength : 0
    z[at] = start && strength > 0 ? start[u] / strength : 0
  }
}

/** Found once a graph, and only where a walk starts from nothing. */
const known = new WeakMap<Csr, Components>()

function componentsOf(csr: Csr): Components {
  const found = known.get(csr) ?? components(csr)
  known.set(csr, found)
  return found
}

/** A score is off by at most the bound of z times the node's strength; by nothing where no walk comes. */
function slackOf({ csr, strengths }: Walk, reset: Float64Array, { from, to, start }: BlockOptions) {
  if (start) return strengths.subarray(from, to)
  const { of } = componentsOf(csr)
  const reached = new Uint8Array(csr.nodes)
  for (let u = 0; u < csr.nodes; u++) if (reset[u] > 0) reached[of[u]] = 1
  const slack = strengths.slice(from, to)
  for (let u = from; u < to; u++) if (reached[of[u]] === 0) slack[u - from] = 0
  return slack
}

/** y of the ranked nodes. A node without edges has (1 - damping) v, exactly. */
function readScores(
  scores: Float64Array,
  { z }: Sweep,
  lanes: number,
  lane: number,
  { strengths }: Walk,
  reset: Float64Array,
  { from, to, damping }: BlockOptions,
): void {
  for (let u = from; u < to; u++)
    scores[u - from] = strengths[u] > 0 ? z[u * lanes + lane] * strengths[u] : (1 - damping) * reset[u]
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
