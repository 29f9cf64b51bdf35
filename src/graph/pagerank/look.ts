import { createBest } from '../../ranking/best.ts'
import type { Ranking } from '../../types.ts'
import { type Components, components } from '../components.ts'
import type { Csr } from '../csr.ts'
import { findTwins, type Twins } from '../twins.ts'
import type { BlockReset, Contenders, Course, Walker } from './course.ts'
import { standing } from './settled.ts'

/** How the ranked nodes stand, and the ranking of the `depth` best as it is now. */
export function look(course: Course, walker: Walker, lane: number) {
  const { depth } = course.options
  // All ranked nodes are looked at once, or until few may be among the best.
  if (!walker.contenders || walker.contenders.rows.length > 2 * depth)
    walker.contenders = survey(course, walker, lane)
  const { walk, sweep, lanes, options } = course
  const { rows, kinds } = walker.contenders
  const scores = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++)
    scores[i] = scoreOf(walk.strengths[options.from + rows[i]], sweep.z[kinds[i] * lanes + lane])
  const { best, needed } = standing({ ...walker.contenders, scores }, walker.bound, depth)
  const found = new Uint32Array(best.rows.length)
  for (let i = 0; i < found.length; i++) found[i] = rows[best.rows[i]]
  const ranking: Ranking = { rows: found, scores: best.scores }
  return { ranking, needed }
}

/** y from z. A node without edges has its share of the reset as it is. */
function scoreOf(strength: number, z: number): number {
  return strength > 0 ? strength * z : z
}

/** Finds the nodes that may be among the best, now that z is off by at most the bound. */
function survey(course: Course, { bound, reset }: Walker, lane: number): Contenders {
  const { sweep, lanes, options } = course
  const { places, scores } = sweep.ranked
  sweep.ranked.score(lanes, lane)
  const best = createBest(options.depth, scores.length)
  // From the places with most edges on: what comes later seldom is among the best.
  let bar = Number.NaN
  for (let i = 0; i < scores.length; i++)
    if (!(scores[i] <= bar)) bar = best.offer(scores.length - 1 - i, scores[i])
  // As many as are asked for are surely not below this.
  let floor = Number.POSITIVE_INFINITY
  for (const row of best.take().rows) {
    const i = scores.length - 1 - row
    floor = Math.min(floor, scores[i] - bound * sweep.strengths[places[i]])
  }
  const nodes = sweep.ranked
    .reaching(bound, floor)
    .map((i) => sweep.order[places[i]])
    .sort()
  const rows = nodes.map((u) => u - options.from)
  return { rows, slack: slackOf(course, nodes, reset), kinds: kindsOf(course, nodes, lane) }
}

/** A score is off by at most the bound of z times the node's strength; by nothing where no walk comes. */
function slackOf({ walk, options }: Course, nodes: Uint32Array, reset: BlockReset): Float64Array {
  const slack = new Float64Array(nodes.length)
  for (let i = 0; i < slack.length; i++) slack[i] = walk.strengths[nodes[i]]
  if (options.start) return slack
  const { of, sizes } = once(parts, walk.csr, components)
  const reached = new Uint8Array(sizes.length)
  const reach = (u: number, weight: number) => {
    if (weight > 0) reached[of[u]] = 1
  }
  for (let i = 0; i < reset.nodes.length; i++) reach(reset.nodes[i], reset.weights[i])
  for (let row = 0; row < (reset.ranked?.length ?? 0); row++)
    reach(options.from + row, reset.ranked?.[row] ?? 0)
  for (let i = 0; i < slack.length; i++) slack[i] *= reached[of[nodes[i]]]
  return slack
}

/**
 * Whose place in the sweep has a node's z: its own, or that of its lowest twin with the same reset. Their scores are the
 * same, which no number of sweeps would prove.
 */
function kindsOf({ walk, sweep, lanes }: Course, nodes: Uint32Array, lane: number): Uint32Array {
  const { lowest, next } = once(twins, walk.csr, findTwins)
  const constant = (u: number) => sweep.constant[sweep.places[u] * lanes + lane]
  const kinds = new Uint32Array(nodes.length)
  for (let i = 0; i < kinds.length; i++) {
    const u = nodes[i]
    let twin = walk.strengths[u] > 0 ? lowest[u] : u
    while (twin !== u && constant(twin) !== constant(u)) twin = next[twin]
    kinds[i] = sweep.places[twin]
  }
  return kinds
}

/** Found once a graph. */
const twins = new WeakMap<Csr, Twins>()
const parts = new WeakMap<Csr, Components>()

function once<T>(known: WeakMap<Csr, T>, csr: Csr, find: (csr: Csr) => T): T {
  const found = known.get(csr) ?? find(csr)
  known.set(csr, found)
  return found
}
