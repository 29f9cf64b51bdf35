import { createLayout, openKernel } from '../../kernel.ts'
import { packEdges } from './pack.ts'
import type { Walk } from './walk.ts'

/** The residual of a node that no walk has reached yet. */
export const UNREACHED = -1

/**
 * What a push writes on, and its rounds in WebAssembly (push.wat). Between walks every estimate is 0 and every residual
 * `UNREACHED`: taking a large graph's memory anew costs more than many walks.
 */
export interface Rounds {
  readonly estimate: Float64Array
  readonly residual: Float64Array
  /** The reached nodes, in the order of being reached. */
  readonly touched: Uint32Array
  /** A new walk, from the first `count` nodes of `touched`. */
  begin(count: number): void
  /** One round, which ends early where `most` edges were looked at; whether any node was pushed. */
  run(epsilon: number, damping: number, most: number): boolean
  /** How many nodes were reached so far. */
  reached(): number
  /** How many edges were looked at so far. */
  edges(): number
  /** The mass that fell off at nodes without edges. */
  lost(): number
}

interface RoundKernel {
  round(
    epsilon: number,
    damping: number,
    most: number,
    state: number,
    touched: number,
    offsets: number,
    edges: number,
    strength: number,
    divisor: number,
    estimate: number,
    residual: number,
  ): void
}

const opened = new WeakMap<Walk, Rounds>()

/** The rounds of a graph. Its edges are packed into the kernel's memory once; it is used again and again. */
export function openRounds(walk: Walk): Rounds {
  const known = opened.get(walk)
  if (known) return known
  const { nodes } = walk.csr
  const packed = packEdges(walk.csr)
  const { place, bytes } = createLayout()
  const at = {
    state: place(24),
    touched: place(4 * nodes),
    offsets: place(4 * (nodes + 1)),
    edges: place(packed.edges.byteLength),
    strength: place(8 * nodes),
    divisor: place(8 * nodes),
    estimate: place(8 * nodes),
    residual: place(8 * nodes),
  }
  const { functions, memory } = openKernel<RoundKernel>(new URL('./push.wasm', import.meta.url), bytes())
  new Uint32Array(memory, at.offsets, nodes + 1).set(packed.offsets)
  new Uint32Array(memory, at.edges, packed.edges.length).set(packed.edges)
  new Float64Array(memory, at.strength, nodes).set(walk.strengths)
  const divisor = new Float64Array(memory, at.divisor, nodes)
  for (let u = 0; u < nodes; u++) divisor[u] = walk.strengths[u] * packed.factors[u]
  const counts = new Uint32Array(memory, at.state, 2)
  const sums = new Float64Array(memory, at.state + 8, 2)
  const rounds: Rounds = {
    estimate: new Float64Array(memory, at.estimate, nodes),
    residual: new Float64Array(memory, at.residual, nodes).fill(UNREACHED),
    touched: new Uint32Array(memory, at.touched, nodes),
    begin(count) {
      counts[0] = count
      sums.fill(0)
    },
    run(epsilon, damping, most) {
      functions.round(
        epsilon,
        damping,
        most,
        at.state,
        at.touched,
        at.offsets,
        at.edges,
        at.strength,
        at.divisor,
        at.estimate,
        at.residual,
      )
      return counts[1] > 0
    },
    reached: () => counts[0],
    edges: () => sums[0],
    lost: () => sums[1],
  }
  opened.set(walk, rounds)
  return rounds
}
