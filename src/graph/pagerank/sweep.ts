import { openKernel } from '../../models/kernel.ts'
import type { Csr } from '../csr.ts'
import { packEdges } from './pack.ts'
import type { Walk } from './walk.ts'

/** Vectors that share a sweep: a cache line of float64. */
export const LANES = 8

/**
 * Sweeps over the edges in WebAssembly (sweep.wat), for one vector or for eight that lie interleaved: entry u of lane l
 * stands at u * lanes + l. A sweep goes through the nodes in turn and reads what it has just written:
 *
 *     g = scale[u] (W z)[u] + constant[u];   z[u] += omega (g - z[u])
 *
 * One lane and eight do the same operations on a lane in the same order, so they agree bit for bit.
 */
export interface Sweep {
  /** One a node, to be filled: damping / strength(u), the rest is done here. 0 for a node without edges. */
  setScale(damping: number): void
  readonly constant: Float64Array
  readonly z: Float64Array
  /** One a lane, after a sweep: the largest change of z, and the largest z. */
  readonly changed: Float64Array
  readonly largest: Float64Array
  run(lanes: 1 | typeof LANES, omega: number): void
}

interface SweepKernel {
  sweep1: Kernel
  sweep8: Kernel
}
type Kernel = (
  nodes: number,
  offsets: number,
  edges: number,
  scale: number,
  constant: number,
  z: number,
  omega: number,
  changed: number,
  largest: number,
) => void

const opened = new WeakMap<Csr, Sweep>()

/** The sweep of a graph. Its edges are packed into the kernel's memory once; it is used again and again. */
export function openSweep({ csr, strengths }: Walk): Sweep {
  const known = opened.get(csr)
  if (known) return known
  const { nodes } = csr
  const { offsets, edges, factors } = packEdges(csr)
  let end = 0
  const place = (bytes: number) => {
    const at = end
    end += Math.ceil(bytes / 64) * 64
    return at
  }
  const at = {
    offsets: place(4 * (nodes + 1)),
    edges: place(edges.byteLength),
    scale: place(8 * nodes),
    constant: place(8 * LANES * nodes),
    z: place(8 * LANES * nodes),
    changed: place(8 * LANES),
    largest: place(8 * LANES),
  }
  const { functions, memory } = openKernel<SweepKernel>(new URL('./sweep.wasm', import.meta.url), end)
  new Uint32Array(memory, at.offsets, nodes + 1).set(offsets)
  new Uint32Array(memory, at.edges, edges.length).set(edges)
  const scale = new Float64Array(memory, at.scale, nodes)
  const numbers = (from: number, length: number) => new Float64Array(memory, from, length)
  const sweep: Sweep = {
    setScale(damping) {
      for (let u = 0; u < nodes; u++) scale[u] = strengths[u] > 0 ? damping / (strengths[u] * factors[u]) : 0
    },
    constant: numbers(at.constant, LANES * nodes),
    z: numbers(at.z, LANES * nodes),
    changed: numbers(at.changed, LANES),
    largest: numbers(at.largest, LANES),
    run(lanes, omega) {
      const kernel = lanes === 1 ? functions.sweep1 : functions.sweep8
      kernel(nodes, at.offsets, at.edges, at.scale, at.constant, at.z, omega, at.changed, at.largest)
    },
  }
  opened.set(csr, sweep)
  return sweep
}
