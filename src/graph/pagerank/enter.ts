import type { BlockReset, Course, Walker } from './course.ts'
import { ROUGH_LANES, type Rough, type Sweep } from './sweep.ts'

/** A large graph's first sweeps are in float32: so many, until what float32 rounds shows. */
const ROUGH_SWEEPS = 6

/** A query and the lane that it gets. */
export interface Entry {
  readonly query: number
  readonly lane: number
}

/** Puts queries in lanes whose constants are 0: at the start or, on a large graph, where float32 sweeps bring them. */
export function enter(course: Course, entries: readonly Entry[], resets: readonly BlockReset[]): Walker[] {
  const { sweep, lanes, start } = course
  for (const { lane } of entries)
    for (let place = sweep.rough ? sweep.connected : 0; place < start.length; place++)
      sweep.z[place * lanes + lane] = start[place]
  for (const entry of entries) restart(course, sweep, lanes, entry, resets[entry.query])
  if (sweep.rough) approach(course, sweep.rough, entries, resets)
  return entries.map(({ query }) => ({
    query,
    reset: resets[query],
    sweeps: 0,
    bound: Number.POSITIVE_INFINITY,
    checkBelow: Number.POSITIVE_INFINITY,
  }))
}

/** Leaves a lane as it was found, but for z. */
export function leave({ sweep, lanes }: Course, lane: number, { reset: { nodes, ranked } }: Walker): void {
  const { constant, places, heads } = sweep
  for (let i = 0; i < nodes.length; i++) constant[places[nodes[i]] * lanes + lane] = 0
  if (ranked) for (let place = 0; place < heads; place++) constant[place * lanes + lane] = 0
}

/** Writes a query's constants into its lane, where all are 0, and what they are sure to add to the start. */
function restart(
  { sweep, options, shares }: Course,
  { constant, z }: Pick<Sweep | Rough, 'constant' | 'z'>,
  lanes: number,
  { query, lane }: Entry,
  { nodes, weights, ranked }: BlockReset,
): void {
  const { places, order, inverse, heads, connected } = sweep
  const share = shares[query]
  // The start holds what comes of restarts at ranked nodes; what restarts at others is added where it does. A node
  // without edges has its score at once.
  const added = options.start ? heads : 0
  for (let i = 0; i < nodes.length; i++) {
    const place = places[nodes[i]]
    const value = share * weights[i] * (place < connected ? inverse[place] : 1)
    if (place < connected) constant[place * lanes + lane] += value
    if (place >= added) z[place * lanes + lane] += value
  }
  if (!ranked) return
  for (let place = 0, at = lane; place < heads; place++, at += lanes)
    constant[at] += share * ranked[order[place] - options.from] * inverse[place]
  for (let place = connected; place < order.length; place++) {
    const row = order[place] - options.from
    if (row >= 0 && row < ranked.length) z[place * lanes + lane] += share * ranked[row]
  }
}

/**
 * Sweeps in float32, for the next sixteen queries at a time, whatever the lanes do meanwhile. Where the float64 sweeps
 * start depends on them, and no result.
 */
function approach(
  course: Course,
  rough: Rough,
  entries: readonly Entry[],
  resets: readonly BlockReset[],
): void {
  const { start, omega } = course
  const together = course.lanes === 1 ? 1 : ROUGH_LANES
  let group: Entry[] = []
  for (const entry of entries) {
    if (entry.query % together === 0) {
      take(course, rough, together, group)
      group = []
      rough.constant.fill(0)
      for (let place = 0; place < start.length; place++)
        rough.z.fill(start[place], place * together, (place + 1) * together)
      resets.slice(entry.query, entry.query + together).forEach((reset, lane) => {
        restart(course, rough, together, { query: entry.query + lane, lane }, reset)
      })
      for (let sweeps = 0; sweeps < ROUGH_SWEEPS; sweeps++) rough.run(together, omega)
    }
    group.push(entry)
  }
  take(course, rough, together, group)
}

/** Lets queries go on in float64 where float32 brought them. */
function take({ sweep, lanes }: Course, rough: Rough, together: number, group: readonly Entry[]): void {
  for (let place = 0; place < sweep.connected; place++)
    for (let i = 0; i < group.length; i++) {
      const z = rough.z[place * together + (group[i].query % together)]
      // Any z may be a start; one that is no number came of sizes beyond float32.
      sweep.z[place * lanes + group[i].lane] = Number.isFinite(z) ? z : 0
    }
}
