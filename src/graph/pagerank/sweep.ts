import type { Csr } from '../csr.ts'

/**
 * One pass over the edges: out = scale * (W z) + constant, for one or for eight vectors that lie interleaved (entry u of
 * lane l at u * 8 + l). `residual[l]` becomes the largest |out - z| of a lane, `largest[l]` its largest |out|. Both
 * forms do the same operations on a lane in the same order, so they agree bit for bit.
 */
export function sweepOne(
  { nodes, offsets, targets, weights }: Csr,
  scale: Float64Array,
  constant: Float64Array,
  z: Float64Array,
  out: Float64Array,
  residual: Float64Array,
  largest: Float64Array,
): void {
  let change = 0
  let top = 0
  for (let u = 0; u < nodes; u++) {
    let sum = 0
    const end = offsets[u + 1]
    for (let i = offsets[u]; i < end; i++) sum += weights[i] * z[targets[i]]
    const value = scale[u] * sum + constant[u]
    out[u] = value
    change = Math.max(change, Math.abs(value - z[u]))
    top = Math.max(top, value)
  }
  residual[0] = change
  largest[0] = top
}

export function sweepEight(
  { nodes, offsets, targets, weights }: Csr,
  scale: Float64Array,
  constant: Float64Array,
  z: Float64Array,
  out: Float64Array,
  residual: Float64Array,
  largest: Float64Array,
): void {
  residual.fill(0)
  largest.fill(0)
  for (let u = 0; u < nodes; u++) {
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    let e = 0
    let f = 0
    let g = 0
    let h = 0
    const end = offsets[u + 1]
    for (let i = offsets[u]; i < end; i++) {
      const w = weights[i]
      const t = targets[i] * 8
      a += w * z[t]
      b += w * z[t + 1]
      c += w * z[t + 2]
      d += w * z[t + 3]
      e += w * z[t + 4]
      f += w * z[t + 5]
      g += w * z[t + 6]
      h += w * z[t + 7]
    }
    const o = u * 8
    const s = scale[u]
    out[o] = s * a + constant[o]
    out[o + 1] = s * b + constant[o + 1]
    out[o + 2] = s * c + constant[o + 2]
    out[o + 3] = s * d + constant[o + 3]
    out[o + 4] = s * e + constant[o + 4]
    out[o + 5] = s * f + constant[o + 5]
    out[o + 6] = s * g + constant[o + 6]
    out[o + 7] = s * h + constant[o + 7]
    for (let lane = 0; lane < 8; lane++) {
      const value = out[o + lane]
      const change = Math.abs(value - z[o + lane])
      if (change > residual[lane]) residual[lane] = change
      if (value > largest[lane]) largest[lane] = value
    }
  }
}
