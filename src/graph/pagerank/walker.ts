import { rankScores } from '../../ranking/order.ts'
import type { Ranking } from '../../types.ts'
import { type Components, components } from '../components.ts'
import type { Csr } from '../csr.ts'
import { findTwins, type Twins } from '../twins.ts'
import type { BlockOptions } from './block.ts'
import type { SparseReset } from './push.ts'
import { type Candidates, standing } from './settled.ts'
import type { LANES, Rough, Sweep } from './sweep.ts'
import { resetSum, type Walk } from './walk.ts'

/** A query on its way, in its own lane. */
export interface Walker {
  readonly query: number
  readonly reset: SparseReset
  /** Unknown before the first look. */
  contenders?: Contenders
  sweeps: number
  /** The bound after the last sweep. */
  bound: number
  /** The bound at which looking at the order makes sense again. */
  checkBelow: number
}

/** The ranked nodes that may still be among the best, ascending; rows count from the first ranked node. */
type Contenders = Omit<Candidates, 'scores'>

/** A block's graph, its sweep, and how many lanes of it are walked. */
export interface Course {
  readonly walk: Walk
  readonly sweep: Sweep
  readonly lanes: 1 | typeof LANES
  readonly omega: number
  readonly options: BlockOptions
  /** The places of all ranked nodes, those with most edges last: `rankScores` begins there. And room for their scores. */
  readonly ranked: Uint32Array
  readonly scores: Float64Array
}

/** A large graph's first sweeps are in float32: so many, until what float32 rounds shows. */
const ROUGH_SWEEPS = 6
const LARGE = 2 ** 20

/**
 * Puts a query in `lane`: at its start or, on a large graph, where it came by `approach`. Throws where `reset` is no
 * distribution over the graph's nodes.
 */
export function enter(course: Course, query: number, lane: number, resets: readonly SparseReset[]): Walker {
  const { sweep, lanes } = course
  const reset = resets[query]
  lay(course, sweep, lane, reset)
  if (course.walk.csr.targets.length >= LARGE) {
    const group = query % lanes
    if (group === 0) approach(course, resets.slice(query, query + lanes))
    for (let place = 0; place < sweep.order.length; place++) {
      const z = sweep.rough.z[place * lanes + group]
      // Any z may be a start; one that is no number came of sizes beyond float32.
      if (sweep.strengths[place] > 0 && Number.isFinite(z)) sweep.z[place * lanes + lane] = z
    }
  }
  return { query, reset, sweeps: 0, bound: Number.POSITIVE_INFINITY, checkBelow: Number.POSITIVE_INFINITY }
}

/** Sweeps in float32 for the next queries, whatever the others do meanwhile: z is only a nearer start, no result. */
function approach(course: Course, resets: readonly SparseReset[]): void {
  const { rough } = course.sweep
  rough.constant.fill(0)
  rough.z.fill(0)
  resets.forEach((reset, lane) => {
    lay(course, rough, lane, reset)
  })
  for (let sweeps = 0; sweeps < ROUGH_SWEEPS; sweeps++) rough.run(course.lanes, course.omega)
}

/** Writes a query's start and its constant into a lane; nodes without edges have their score at once. */
function lay(
  course: Course,
  { constant, z }: Pick<Sweep | Rough, 'constant' | 'z'>,
  lane: number,
  reset: SparseReset,
) {
  const { walk, sweep, lanes, options } = course
  const { strengths } = walk
  const { order, places } = sweep
  const { damping, start } = options
  const { sum, dangling } = resetSum(walk, reset)
  for (let place = 0, at = lane; place < order.length; place++, at += lanes)
    z[at] = start && sweep.strengths[place] > 0 ? start[order[place]] / sweep.strengths[place] : 0
  // Only the mass that restarts on a node without edges is lost: y sums to sum - damping x dangling.
  const share = (1 - damping) / (sum - damping * dangling)
  for (let i = 0; i < reset.nodes.length; i++) {
    const u = reset.nodes[i]
    const at = places[u] * lanes + lane
    if (strengths[u] > 0) constant[at] = (share * reset.weights[i]) / strengths[u]
    else z[at] = share * reset.weights[i]
  }
}

/** Leaves a lane as it was found, but for z. */
export function leave({ sweep, lanes }: Course, lane: number, { reset: { nodes } }: Walker): void {
  for (let i = 0; i < nodes.length; i++) sweep.constant[sweep.places[nodes[i]] * lanes + lane] = 0
}

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
  const ranking: Ranking = { rows: best.rows.map((i) => rows[i]), scores: best.scores }
  return { ranking, needed }
}

/** y from z. A node without edges has its share of the reset as it is. */
function scoreOf(strength: number, z: number): number {
  return strength > 0 ? strength * z : z
}

/** Finds the nodes that may be among the best, now that z is off by at most the bound. */
function survey(course: Course, { bound, reset }: Walker, lane: number): Contenders {
  const { sweep, lanes, options, ranked, scores } = course
  const { order, strengths, z } = sweep
  for (let i = 0; i < ranked.length; i++)
    scores[i] = scoreOf(strengths[ranked[i]], z[ranked[i] * lanes + lane])
  // As many as are asked for are surely not below this.
  let floor = Number.POSITIVE_INFINITY
  for (const i of rankScores(scores, options.depth).rows)
    floor = Math.min(floor, scores[i] - bound * strengths[ranked[i]])
  const nodes: number[] = []
  for (let i = 0; i < ranked.length; i++)
    if (scores[i] + bound * strengths[ranked[i]] >= floor) nodes.push(order[ranked[i]])
  const sorted = Uint32Array.from(nodes).sort()
  return {
    rows: sorted.map((u) => u - options.from),
    slack: slackOf(course, sorted, reset),
    kinds: kindsOf(course, sorted, lane),
  }
}

/** A score is off by at most the bound of z times the node's strength; by nothing where no walk comes. */
function slackOf({ walk, options }: Course, nodes: Uint32Array, reset: SparseReset): Float64Array {
  const slack = Float64Array.from(nodes, (u) => walk.strengths[u])
  if (options.start) return slack
  const { of, sizes } = once(parts, walk.csr, components)
  const reached = new Uint8Array(sizes.length)
  for (let i = 0; i < reset.nodes.length; i++) if (reset.weights[i] > 0) reached[of[reset.nodes[i]]] = 1
  return slack.map((strength, i) => reached[of[nodes[i]]] * strength)
}

/**
 * Whose place in the sweep has a node's z: its own, or that of its lowest twin with the same reset. Their scores are the
 * same, which no number of sweeps would prove.
 */
function kindsOf({ walk, sweep, lanes }: Course, nodes: Uint32Array, lane: number): Uint32Array {
  const { lowest, next } = once(twins, walk.csr, findTwins)
  const constant = (u: number) => sweep.constant[sweep.places[u] * lanes + lane]
  return nodes.map((u) => {
    let twin = walk.strengths[u] > 0 ? lowest[u] : u
    while (twin !== u && constant(twin) !== constant(u)) twin = next[twin]
    return sweep.places[twin]
  })
}

/** Found once a graph. */
const twins = new WeakMap<Csr, Twins>()
const parts = new WeakMap<Csr, Components>()

function once<T>(known: WeakMap<Csr, T>, csr: Csr, find: (csr: Csr) => T): T {
  const found = known.get(csr) ?? find(csr)
  known.set(csr, found)
  return found
}
