import type { Ranking } from '../../types.ts'
import type { BlockOptions, BlockReset, Course, Walker } from './course.ts'
import { type Entry, enter, leave } from './enter.ts'
import { look } from './look.ts'
import { FLOOR, relaxation } from './relaxation.ts'
import { LANES, openSweep, type Sweep } from './sweep.ts'
import { checkDamping, checkSum, resetSum, type Walk } from './walk.ts'

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
 *     z[u] += omega (g - z[u])       (omega and what bounds the error: relaxation.ts)
 *
 * It converges, since I - damping P is similar to a symmetric positive definite matrix (Ostrowski), and by about .15 a
 * sweep at damping 0.5, where plain power iteration has .5. A query is frozen, by itself, at the first z whose bound
 * cannot change the order of its first `depth` rows; the next one takes its lane. No lane reads another: a query gets
 * the same bits in any block or alone. On a large graph the first sweeps are in float32 (enter.ts): only where the
 * float64 ones start depends on them.
 *
 * Returns for each reset the `depth` best of the nodes `from` to `to` - 1, as rows that count from `from`. Throws where a
 * reset is no distribution over the graph's nodes.
 */
export function blockPower(walk: Walk, resets: readonly BlockReset[], options: BlockOptions): Ranking[] {
  const { damping } = options
  checkDamping(damping)
  const sweep = openSweep(walk, options)
  const lanes = resets.length < 3 ? 1 : LANES
  const { omega, bound: boundOf, lastSweep } = relaxation(damping)
  const course: Course = {
    walk,
    sweep,
    lanes,
    omega,
    options,
    shares: resets.map((reset) => shareOf(walk, sweep, reset, options)),
  }
  setStart(sweep, options)
  sweep.setScale(damping)
  sweep.constant.fill(0, 0, lanes * walk.csr.nodes)
  sweep.z.fill(0, 0, lanes * walk.csr.nodes)
  const results = new Array<Ranking>(resets.length)
  const walkers = new Array<Walker | undefined>(lanes).fill(undefined)
  let next = 0
  let open = 0
  for (;;) {
    const entries: Entry[] = []
    for (let lane = 0; lane < lanes && next < resets.length; lane++)
      if (!walkers[lane]) entries.push({ query: next++, lane })
    enter(course, entries, resets).forEach((walker, i) => {
      walkers[entries[i].lane] = walker
    })
    open += entries.length
    if (open === 0) return results
    sweep.run(lanes, omega)
    walkers.forEach((walker, lane) => {
      if (!walker) return
      const bound = boundOf(sweep.changed[lane])
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

/** Only the mass that restarts on a node without edges is lost: y sums to sum - damping x dangling. */
function shareOf(walk: Walk, sweep: Sweep, reset: BlockReset, { damping, from, to }: BlockOptions): number {
  let { sum, dangling } = resetSum(walk, reset)
  const { ranked } = reset
  if (ranked) {
    if (ranked.length !== to - from) throw new Error(`${ranked.length} weights for ${to - from} ranked nodes`)
    for (let row = 0; row < ranked.length; row++) {
      const weight = ranked[row]
      if (!(weight >= 0)) throw new Error(`reset weight ${weight} of node ${from + row}`)
      sum += weight
    }
    const { heads, connected, order } = sweep
    for (let i = heads; i < ranked.length; i++) dangling += ranked[order[connected + i - heads] - from]
  }
  checkSum(sum)
  return (1 - damping) / (sum - damping * dangling)
}

/** z by place; 0 for nodes without edges, which have what restarts there alone. */
function setStart({ order, strengths, connected, start }: Sweep, options: BlockOptions): void {
  start.fill(0)
  if (options.start)
    for (let place = 0; place < connected; place++)
      start[place] = options.start[order[place]] / strengths[place]
}
