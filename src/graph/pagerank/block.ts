import type { Ranking } from '../../types.ts'
import type { SparseReset } from './push.ts'
import { LANES, openSweep, type Sweep } from './sweep.ts'
import { checkDamping, type Walk } from './walk.ts'
import { type Course, enter, leave, look, type Walker } from './walker.ts'

export interface BlockOptions {
  readonly damping: number
  /** Only nodes from `from` to `to` - 1 are ranked; the others only carry the walk. */
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
 * found a tie, the error must shrink by `TIE` before the next one.
 */
const EARLY = 1e-6
const TIE = 0.02

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
 * On a large graph the first sweeps are in float32 (walker.ts): only where the float64 ones start depends on them.
 * (Young, 1950; Varga, Matrix Iterative Analysis, chapters 3 and 4.)
 *
 * Returns for each reset the `depth` best of the nodes `from` to `to` - 1, as rows that count from `from`.
 */
export function blockPower(walk: Walk, resets: readonly SparseReset[], options: BlockOptions): Ranking[] {
  const { damping, from, to } = options
  checkDamping(damping)
  const sweep = openSweep(walk)
  const lanes = resets.length < 3 ? 1 : LANES
  const omega = 2 / (1 + Math.sqrt(1 - damping * damping))
  const ranked = rankedPlaces(sweep, from, to)
  const course: Course = {
    walk,
    sweep,
    lanes,
    omega,
    options,
    ranked,
    scores: new Float64Array(ranked.length),
  }
  sweep.setScale(damping)
  sweep.constant.fill(0, 0, lanes * walk.csr.nodes)
  sweep.z.fill(0, 0, lanes * walk.csr.nodes)
  // Rounding may keep an error above the floor for ever. By twice what plain power iteration would need, it has stalled.
  const lastSweep = damping === 0 ? 2 : Math.ceil((2 * Math.log(FLOOR)) / Math.log(damping))
  const results = new Array<Ranking>(resets.length)
  const walkers = new Array<Walker | undefined>(lanes).fill(undefined)
  let next = 0
  let open = 0
  for (;;) {
    for (let lane = 0; lane < lanes && next < resets.length; lane++) {
      if (walkers[lane]) continue
      walkers[lane] = enter(course, next, lane, resets)
      next++
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
      if ((size > EARLY || bound > walker.checkBelow) && !tied) return
      const { ranking, needed } = look(course, walker, lane)
      // The estimates still move: a pair may be further apart than it looks now.
      walker.checkBelow = needed > 0 ? 2 * needed : bound * TIE
      if (needed !== Number.POSITIVE_INFINITY && !tied) return
      results[walker.query] = ranking
      leave(course, lane, walker)
      walkers[lane] = undefined
      open--
    })
  }
}

/** The places of the nodes `from` to `to` - 1, the last one first. */
function rankedPlaces({ order }: Sweep, from: number, to: number): Uint32Array {
  const ranked = new Uint32Array(to - from)
  let count = 0
  for (let place = order.length - 1; place >= 0; place--)
    if (order[place] >= from && order[place] < to) ranked[count++] = place
  return ranked
}
