import type { Csr } from '../csr.ts'

/**
 * A graph's edges in 8 bytes each, as a kernel reads them: u32 target and f32 weight side by side, two thirds of what
 * the columns take. Nothing is rounded: a weight that float32 does not hold becomes parallel edges that add up to it.
 */
export interface PackedEdges {
  readonly offsets: Uint32Array
  /** Targets at even places, the weights' bits at odd ones. */
  readonly edges: Uint32Array
  /** What the weights of a node's edges were multiplied with: a power of two, 1 but for sizes beyond float32. */
  readonly factors: Float64Array
}

/** Weights within these are packed as they are. */
const SMALL = 2 ** -60
const LARGE = 2 ** 60

export function packEdges({ nodes, offsets, targets, weights }: Csr): PackedEdges {
  const factors = new Float64Array(nodes).fill(1)
  const packed = new Uint32Array(nodes + 1)
  for (let u = 0; u < nodes; u++) {
    let most = 0
    for (let i = offsets[u]; i < offsets[u + 1]; i++) if (weights[i] > most) most = weights[i]
    if (most > 0 && (most < SMALL || most > LARGE)) factors[u] = 2 ** -Math.floor(Math.log2(most))
    packed[u + 1] = packed[u]
    for (let i = offsets[u]; i < offsets[u + 1]; i++) packed[u + 1] += pieces(weights[i] * factors[u])
  }
  const edges = new Uint32Array(2 * packed[nodes])
  const values = new Float32Array(edges.buffer)
  let at = 0
  for (let u = 0; u < nodes; u++)
    for (let i = offsets[u]; i < offsets[u + 1]; i++) {
      let rest = weights[i] * factors[u]
      do {
        edges[at] = targets[i]
        values[at + 1] = rest
        rest -= values[at + 1]
        at += 2
      } while (leaves(rest))
    }
  return { offsets: packed, edges, factors }
}

/** Of a float64's 53 bits float32 holds 24: at most three. What float32 cannot hold at all is no weight beside others. */
function pieces(weight: number): number {
  let count = 0
  let rest = weight
  do {
    count++
    rest -= Math.fround(rest)
  } while (leaves(rest))
  return count
}

function leaves(rest: number): boolean {
  return Math.fround(rest) !== 0
}
