import { createLayout, openKernel } from '../../kernel.ts'
import type { Csr } from '../csr.ts'
import { packEdges } from './pack.ts'
import type { Walk } from './walk.ts'

/** Vectors that share a sweep: a cache line of float64. */
export const LANES = 8

/**
 * Sweeps over the edges in WebAssembly (sweep.wat), for one vector or for eight that lie interleaved: the entry of the
 * node at place p, in lane l, stands at p * lanes + l. A sweep goes through the places in turn and reads what it has
 * just written:
 *
 *     g = scale[p] (W z)[p] + constant[p];   z[p] += omega (g - z[p])
 *
 * The nodes with most edges have the first places: what is read most lies together, and an inner loop that is as long
 * as the one before it is foreseen by the processor (one lane: 2.5 times as fast). One lane and eight do the same
 * operations on a lane in the same order, so they agree bit for bit.
 */
export interface Sweep {
  /** Each node's place. Nodes without edges have the last ones, and no sweep touches them. */
  readonly places: Uint32Array
  /** The node at each place, and its strength. */
  readonly order: Uint32Array
  readonly strengths: Float64Array
  /** One a place, to be filled: damping / strength, the rest is done here. */
  setScale(damping: number): void
  readonly constant: Float64Array
  readonly z: Float64Array
  /** One a lane, after a sweep: the largest change of z, and the largest z. */
  readonly changed: Float64Array
  readonly largest: Float64Array
  run(lanes: 1 | typeof LANES, omega: number): void
  /** The same in float32, which takes half the time where z is too large for the processor's caches. */
  readonly rough: Rough
}

export interface Rough {
  readonly constant: Float32Array
  readonly z: Float32Array
  run(lanes: 1 | typeof LANES, omega: number): void
}

interface SweepKernel {
  sweep1: Kernel
  sweep8: Kernel
  rough1: RoughKernel
  rough8: RoughKernel
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
export function openSweep(walk: Walk): Sweep {
  const { csr } = walk
  const known = opened.get(csr)
  if (known) return known
  const { nodes } = csr
  const order = byDegree(csr)
  const places = new Uint32Array(nodes)
  order.forEach((u, place) => {
    places[u] = place
  })
  const strengths = Float64Array.from(order, (u) => walk.strengths[u])
  let connected = nodes
  while (connected > 0 && strengths[connected - 1] === 0) connected--
  const { offsets, edges, factors } = packEdges(moved(csr, order, places))
  const { place, bytes } = createLayout()
  const at = {
    offsets: place(4 * (nodes + 1)),
    edges: place(edges.byteLength),
    scale: place(8 * nodes),
    constant: place(8 * LANES * nodes),
    z: place(8 * LANES * nodes),
    changed: place(8 * LANES),
    largest: place(8 * LANES),
    roughScale: place(4 * nodes),
    roughConstant: place(4 * LANES * nodes),
    roughZ: place(4 * LANES * nodes),
  }
  const { functions, memory } = openKernel<SweepKernel>(new URL('./sweep.wasm', import.meta.url), bytes())
  new Uint32Array(memory, at.offsets, nodes + 1).set(offsets)
  new Uint32Array(memory, at.edges, edges.length).set(edges)
  const scale = new Float64Array(memory, at.scale, nodes)
  const roughScale = new Float32Array(memory, at.roughScale, nodes)
  const numbers = (from: number, length: number) => new Float64Array(memory, from, length)
  const sweep: Sweep = {
    places,
    order,
    strengths,
    setScale(damping) {
      for (let p = 0; p < connected; p++) scale[p] = damping / (strengths[p] * factors[p])
      roughScale.set(scale)
    },
    constant: numbers(at.constant, LANES * nodes),
    z: numbers(at.z, LANES * nodes),
    changed: numbers(at.changed, LANES),
    largest: numbers(at.largest, LANES),
    run(lanes, omega) {
      const kernel = lanes === 1 ? functions.sweep1 : functions.sweep8
      kernel(connected, at.offsets, at.edges, at.scale, at.constant, at.z, omega, at.changed, at.largest)
    },
    rough: {
      constant: new Float32Array(memory, at.roughConstant, LANES * nodes),
      z: new Float32Array(memory, at.roughZ, LANES * nodes),
      run(lanes, omega) {
        const kernel = lanes === 1 ? functions.rough1 : functions.rough8
        kernel(connected, at.offsets, at.edges, at.roughScale, at.roughConstant, at.roughZ, omega)
      },
    },
  }
  opened.set(csr, sweep)
  return sweep
}

/** The nodes, those with most edges first, of equal ones the lower first. */
function byDegree({ nodes, offsets }: Csr): Uint32Array {
  const degree = (u: number) => offsets[u + 1] - offsets[u]
  return Uint32Array.from({ length: nodes }, (_, u) => u).sort((a, b) => degree(b) - degree(a) || a - b)
}

/** The graph with node `order[p]` at place p. A node's edges stay in their order, so twins' edges remain alike. */
function moved(csr: Csr, order: Uint32Array, places: Uint32Array): Csr {
  const offsets = new Uint32Array(csr.nodes + 1)
  const targets = new Uint32Array(csr.targets.length)
  const weights = new Float64Array(csr.weights.length)
  let write = 0
  order.forEach((u, place) => {
    for (let i = csr.offsets[u]; i < csr.offsets[u + 1]; i++) {
      targets[write] = places[csr.targets[i]]
      weights[write++] = csr.weights[i]
    }
    offsets[place + 1] = write
  })
  return { nodes: csr.nodes, offsets, targets, weights }
}
