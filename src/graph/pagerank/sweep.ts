import { openKernel } from '../../models/kernel.ts'
import type { Csr } from '../csr.ts'

/** Vectors that share a pass over the edges in WebAssembly: a cache line of float64. */
export const LANES = 8

/**
 * One pass over the edges for vectors that lie interleaved: entry u of lane l at u * lanes + l.
 *
 *     g = scale * (W z) + constant;   residual = max |g - z|;   before += omega (g - before)
 *
 * A lane alone is a plain loop, eight are SIMD (sweep.wat). Both do the same operations on a lane in the same order, so
 * they agree bit for bit.
 */
export interface Sweep {
  readonly lanes: number
  readonly scale: Float64Array
  readonly constant: Float64Array
  z: Float64Array
  before: Float64Array
  /** One a lane, as are those below. */
  readonly omega: Float64Array
  readonly residual: Float64Array
  readonly largest: Float64Array
  /** One pass: `before` becomes the next z. */
  run(): void
  /** Lets `z` and `before` change places. */
  swap(): void
}

/** A sweep of one lane. */
export function sweepOne({ nodes, offsets, targets, weights }: Csr): Sweep {
  const numbers = (length: number) => new Float64Array(length)
  return {
    lanes: 1,
    scale: numbers(nodes),
    constant: numbers(nodes),
    z: numbers(nodes),
    before: numbers(nodes),
    omega: numbers(1),
    residual: numbers(1),
    largest: numbers(1),
    run() {
      const { z, before, scale, constant } = this
      const omega = this.omega[0]
      let residual = 0
      let largest = 0
      for (let u = 0; u < nodes; u++) {
        let sum = 0
        const end = offsets[u + 1]
        for (let i = offsets[u]; i < end; i++) sum += weights[i] * z[targets[i]]
        const g = scale[u] * sum + constant[u]
        const change = Math.abs(g - z[u])
        if (change > residual) residual = change
        if (z[u] > largest) largest = z[u]
        before[u] += omega * (g - before[u])
      }
      this.residual[0] = residual
      this.largest[0] = largest
    },
    swap,
  }
}

interface SweepKernel {
  sweep8(nodes: number, ...addresses: number[]): void
}

const kernels = new WeakMap<Csr, Sweep>()

/** A sweep of eight lanes. The graph is copied into the kernel's memory once; its sweep is used again and again. */
export function sweepEight(csr: Csr): Sweep {
  const known = kernels.get(csr)
  if (known) return known
  const { nodes, offsets, targets, weights } = csr
  let end = 0
  const place = (bytes: number) => {
    const at = end
    end += Math.ceil(bytes / 64) * 64
    return at
  }
  const vectors = nodes * LANES
  const at = {
    offsets: place(4 * (nodes + 1)),
    targets: place(4 * targets.length),
    weights: place(8 * weights.length),
    scale: place(8 * nodes),
    constant: place(8 * vectors),
    z: place(8 * vectors),
    before: place(8 * vectors),
    omega: place(8 * LANES),
    residual: place(8 * LANES),
    largest: place(8 * LANES),
  }
  const { functions, memory } = openKernel<SweepKernel>(new URL('./sweep.wasm', import.meta.url), end)
  new Uint32Array(memory, at.offsets, nodes + 1).set(offsets)
  new Uint32Array(memory, at.targets, targets.length).set(targets)
  new Float64Array(memory, at.weights, weights.length).set(weights)
  const numbers = (from: number, length: number) => new Float64Array(memory, from, length)
  const sweep: Sweep = {
    lanes: LANES,
    scale: numbers(at.scale, nodes),
    constant: numbers(at.constant, vectors),
    z: numbers(at.z, vectors),
    before: numbers(at.before, vectors),
    omega: numbers(at.omega, LANES),
    residual: numbers(at.residual, LANES),
    largest: numbers(at.largest, LANES),
    run() {
      functions.sweep8(
        nodes,
        at.offsets,
        at.targets,
        at.weights,
        at.scale,
        at.constant,
        this.z.byteOffset,
        this.before.byteOffset,
        at.omega,
        at.residual,
        at.largest,
      )
    },
    swap,
  }
  kernels.set(csr, sweep)
  return sweep
}

function swap(this: Sweep): void {
  const { z, before } = this
  this.z = before
  this.before = z
}
