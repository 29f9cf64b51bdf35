import { createLayout, openKernel } from '../../kernel.ts'
import type { Csr } from '../csr.ts'
import { type LaneKernel, openRanked, placeRanked, type Ranked } from './lanes.ts'
import { moved, type Range, rankedFirst } from './order.ts'
import { packEdges } from './pack.ts'
import type { Walk } from './walk.ts'

/** Vectors that share a sweep: a cache line of float64, and one of float32. */
export const LANES = 8
export const ROUGH_LANES = 16
/** A graph of so many edges is swept in float32 first. */
const LARGE = 2 ** 20

/** So many places of all lanes stay in the nearest cache while one lane after the other is written. */
const TILE = 256

/**
 * Sweeps over the edges in WebAssembly (sweep.wat), for one vector or for several that lie interleaved: the entry of
 * the node at place p, in lane l, stands at p * lanes + l. A sweep goes through the places in turn and reads what it
 * has just written:
 *
 *     g = scale[p] (W z)[p] + constant[p];   z[p] += omega (g - z[p])
 *
 * The ranked nodes have the first places, since walks restart there and others learn of it in the same sweep; see
 * order.ts. One lane and several do the same operations on a lane in the same order, so they agree bit for bit.
 */
export interface Sweep {
  readonly range: Range
  readonly ranked: Ranked
  /** How many places have ranked nodes with edges, and how many have nodes with edges at all: these come first. */
  readonly heads: number
  readonly connected: number
  /** Each node's place. Nodes without edges have the last ones, ranked ones before others; no sweep touches them. */
  readonly places: Uint32Array
  /** The node at each place, its strength and, for those with edges, 1 / strength. */
  readonly order: Uint32Array
  readonly strengths: Float64Array
  readonly inverse: Float64Array
  /** One a place, to be filled: damping / strength, the rest is done here. */
  setScale(damping: number): void
  readonly constant: Float64Array
  readonly z: Float64Array
  /** z where queries begin, one a place, to be filled. */
  readonly start: Float64Array
  /** Puts a lane of z at the start, from a place on. */
  begin(lanes: number, lane: number, place: number): void
  /** Lets a lane's constants of ranked nodes be 0. */
  clear(lanes: number, lane: number): void
  /** Adds `share` x the ranked nodes' weights to the constants of those with edges. */
  lay(lanes: number, lane: number, ranked: ArrayLike<number>, share: number): void
  /** One a lane, after a sweep: the largest change of z, and the largest z. */
  readonly changed: Float64Array
  readonly largest: Float64Array
  run(lanes: 1 | typeof LANES, omega: number): void
  /** The same in float32 for a large graph: a third of the time. */
  readonly rough?: Rough
}

export interface Rough {
  readonly constant: Float32Array
  readonly z: Float32Array
  lay: Sweep['lay']
  /** Puts all lanes at the start. */
  begin(lanes: number): void
  /** Copies some of its lanes to lanes of float64; what is no finite number becomes 0. */
  take(
    roughLanes: number,
    lanes: number,
    pairs: readonly (readonly [roughLane: number, lane: number])[],
  ): void
  run(lanes: 1 | typeof ROUGH_LANES, omega: number): void
}

interface SweepKernel extends LaneKernel {
  sweep1: Kernel
  sweep8: Kernel
  unweighted8: Kernel
  rough1: RoughKernel
  rough16: RoughKernel
}
type RoughKernel = (
  nodes: number,
  offsets: number,
  edges: number,
  scale: number,
  constant: number,
  z: number,
  omega: number,
) => void
type Kernel = (...args: [...Parameters<RoughKernel>, changed: number, largest: number]) => void

const opened = new WeakMap<Csr, Sweep>()

/** The sweep of a graph. Its edges are packed into the kernel's memory once; it is used again and again. */
export function openSweep(walk: Walk, { from, to }: Range): Sweep {
  const { csr } = walk
  const known = opened.get(csr)
  if (known?.range.from === from && known.range.to === to) return known
  const { nodes } = csr
  const order = rankedFirst(csr, { from, to })
  const places = new Uint32Array(nodes)
  order.forEach((u, place) => {
    places[u] = place
  })
  const strengths = Float64Array.from(order, (u) => walk.strengths[u])
  let connected = nodes
  while (connected > 0 && strengths[connected - 1] === 0) connected--
  let heads = 0
  while (heads < connected && order[heads] >= from && order[heads] < to) heads++
  const { offsets, edges, factors } = packEdges(moved(csr, order, places))
  const large = csr.targets.length >= LARGE
  const targets = targetsIfAlike(edges)
  const { place, bytes } = createLayout()
  const at = {
    offsets: place(4 * (nodes + 1)),
    edges: place(edges.byteLength),
    targets: place(targets ? targets.byteLength : 0),
    scale: place(8 * nodes),
    constant: place(8 * LANES * nodes),
    z: place(8 * LANES * nodes),
    changed: place(8 * LANES),
    largest: place(8 * LANES),
    inverse: place(8 * nodes),
    start: place(8 * nodes),
    zero: place(8),
    ...placeRanked(place, to - from),
    roughScale: place(large ? 4 * nodes : 0),
    roughConstant: place(large ? 4 * ROUGH_LANES * nodes : 0),
    roughZ: place(large ? 4 * ROUGH_LANES * nodes : 0),
  }
  const binaries = ['sweep', 'unweighted', 'lanes'].map((name) => new URL(`./${name}.wasm`, import.meta.url))
  const { functions, memory } = openKernel<SweepKernel>(binaries, bytes())
  new Uint32Array(memory, at.offsets, nodes + 1).set(offsets)
  new Uint32Array(memory, at.edges, edges.length).set(edges)
  if (targets) new Uint32Array(memory, at.targets, targets.length).set(targets)
  const scale = new Float64Array(memory, at.scale, nodes)
  const roughScale = new Float32Array(memory, at.roughScale, large ? nodes : 0)
  const numbers = (from: number, length: number) => new Float64Array(memory, from, length)
  const inverse = numbers(at.inverse, nodes)
  for (let p = 0; p < nodes; p++) inverse[p] = 1 / strengths[p]
  const weights = numbers(at.weights, to - from)
  const rough: Rough = {
    constant: new Float32Array(memory, at.roughConstant, large ? ROUGH_LANES * nodes : 0),
    z: new Float32Array(memory, at.roughZ, large ? ROUGH_LANES * nodes : 0),
    lay(lanes, lane, ranked, share) {
      weights.set(ranked)
      const to = at.roughConstant + 4 * lane
      functions.layRough(to, 4 * lanes, heads, at.rows, at.weights, at.inverse, share)
    },
    begin(lanes) {
      functions.spread(at.roughZ, lanes, nodes, at.start)
    },
    take(roughLanes, lanes, pairs) {
      for (let p = 0; p < connected; p += TILE)
        for (const [roughLane, lane] of pairs) {
          const from = at.roughZ + 4 * (p * roughLanes + roughLane)
          const count = Math.min(TILE, connected - p)
          functions.take(at.z + 8 * (p * lanes + lane), 8 * lanes, count, from, 4 * roughLanes)
        }
    },
    run(lanes, omega) {
      const kernel = lanes === 1 ? functions.rough1 : functions.rough16
      kernel(connected, at.offsets, at.edges, at.roughScale, at.roughConstant, at.roughZ, omega)
    },
  }
  const sweep: Sweep = {
    range: { from, to },
    ranked: openRanked(functions, memory, at, { from, to, heads, connected, order, strengths }),
    heads,
    connected,
    places,
    order,
    strengths,
    inverse,
    setScale(damping) {
      for (let p = 0; p < connected; p++) scale[p] = damping / (strengths[p] * factors[p])
      if (large) roughScale.set(scale)
    },
    constant: numbers(at.constant, LANES * nodes),
    z: numbers(at.z, LANES * nodes),
    start: numbers(at.start, nodes),
    begin(lanes, lane, place) {
      const to = at.z + 8 * (place * lanes + lane)
      functions.copy(to, 8 * lanes, nodes - place, at.start + 8 * place, 8)
    },
    clear(lanes, lane) {
      functions.copy(at.constant + 8 * lane, 8 * lanes, heads, at.zero, 0)
    },
    lay(lanes, lane, ranked, share) {
      weights.set(ranked)
      functions.lay(at.constant + 8 * lane, 8 * lanes, heads, at.rows, at.weights, at.inverse, share)
    },
    changed: numbers(at.changed, LANES),
    largest: numbers(at.largest, LANES),
    run(lanes, omega) {
      const kernel = lanes === 1 ? functions.sweep1 : targets ? functions.unweighted8 : functions.sweep8
      const from = lanes > 1 && targets ? at.targets : at.edges
      kernel(connected, at.offsets, from, at.scale, at.constant, at.z, omega, at.changed, at.largest)
    },
    ...(large && { rough }),
  }
  opened.set(csr, sweep)
  return sweep
}

/** Where each edge's target has its lanes, in bytes, if every edge weighs 1: no more is read of them then. */
function targetsIfAlike(edges: Uint32Array): Uint32Array | undefined {
  const values = new Float32Array(edges.buffer)
  for (let i = 1; i < values.length; i += 2) if (values[i] !== 1) return undefined
  return Uint32Array.from({ length: edges.length / 2 }, (_, i) => edges[2 * i] * 8 * LANES)
}
