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
  const { sweep, lanes } = course
  for (const entry of entries) {
    sweep.begin(lanes, entry.lane, sweep.rough ? sweep.connected : 0)
    restart(course, sweep, lanes, entry, resets[entry.query])
  }
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
  const { constant, places } = sweep
  for (let i = 0; i < nodes.length; i++) constant[places[nodes[i]] * lanes + lane] = 0
  if (ranked) sweep.clear(lanes, lane)
}

/** Writes a query's constants into its lane, where all are 0, and what they are sure to add to the start. */
function restart(
  { sweep, options, shares }: Course,
  { constant, z, lay }: Pick<Sweep | Rough, 'constant' | 'z' | 'lay'>,
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
  lay(lanes, lane, ranked, share)
  for (let place = connected; place < connected + ranked.length - heads; place++)
    z[place * lanes + lane] += share * ranked[order[place] - options.from]
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
  const together = course.lanes === 1 ? 1 : ROUGH_LANES
  let group: Entry[] = []
  for (const entry of entries) {
    if (entry.query % together === 0) {
      take(course, rough, together, group)
      group = []
      rough.constant.fill(0)
      rough.begin(together)
      resets.slice(entry.query, entry.query + together).forEach((reset, lane) => {
        restart(course, rough, together, { query: entry.query + lane, lane }, reset)
      })
      for (let sweeps = 0; sweeps < ROUGH_SWEEPS; sweeps++) rough.run(together, course.omega)
    }
    group.push(entry)
  }
  take(course, rough, together, group)
}

/** Lets queries go on in float64 where float32 brought them. Any z may be a start. */
function take({ lanes }: Course, rough: Rough, together: number, group: readonly Entry[]): void {
  rough.take(
    together,
    lanes,
    group.map(({ query, lane }) => [query % together, lane]),
  )
}
