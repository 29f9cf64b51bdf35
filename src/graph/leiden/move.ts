import type { Random } from '../../statistics/random.ts'
import type { Weighted } from './weighted.ts'

/** Below this share of the node's strength a gain is rounding. */
const LEAST_GAIN = 1e-12

/**
 * Fast local moving: every node goes to the neighbouring community (or to one of its own) where it gains most, and its
 * neighbours are looked at again, until nobody gains.
 *
 *     gain of u in c = weight(u, c) - resolution strength(u) strength(c without u) / total
 *
 * Changes `of` in place; its numbers must be below the number of nodes.
 */
export function moveNodes(graph: Weighted, of: Uint32Array, resolution: number, random: Random): void {
  const { csr, strengths, total } = graph
  const { nodes, offsets, targets, weights } = csr
  const sums = new Float64Array(nodes)
  const sizes = new Uint32Array(nodes)
  for (let u = 0; u < nodes; u++) {
    sums[of[u]] += strengths[u]
    sizes[of[u]]++
  }
  const empty: number[] = []
  for (let c = nodes - 1; c >= 0; c--) if (sizes[c] === 0) empty.push(c)

  const queue = shuffled(nodes, random)
  const queued = new Uint8Array(nodes).fill(1)
  let first = 0
  let waiting = nodes
  const toward = new Float64Array(nodes)
  const near = new Uint32Array(nodes)
  while (waiting > 0) {
    const u = queue[first]
    first = first + 1 === nodes ? 0 : first + 1
    waiting--
    queued[u] = 0
    const own = of[u]
    const strength = strengths[u]
    let count = 0
    for (let i = offsets[u]; i < offsets[u + 1]; i++) {
      const c = of[targets[i]]
      if (toward[c] === 0) near[count++] = c
      toward[c] += weights[i]
    }
    const share = (resolution * strength) / total
    const stay = toward[own] - share * (sums[own] - strength)
    let best = own
    let most = stay + LEAST_GAIN * strength
    for (let i = 0; i < count; i++) {
      const c = near[i]
      const gain = toward[c] - share * sums[c]
      toward[c] = 0
      if (c !== own && gain > most) {
        most = gain
        best = c
      }
    }
    if (most < 0 && sizes[own] > 1) best = empty[empty.length - 1]
    if (best === own) continue
    sums[own] -= strength
    sums[best] += strength
    if (sizes[best]++ === 0) empty.pop()
    if (--sizes[own] === 0) {
      sums[own] = 0
      empty.push(own)
    }
    of[u] = best
    for (let i = offsets[u]; i < offsets[u + 1]; i++) {
      const v = targets[i]
      if (queued[v] === 1 || of[v] === best) continue
      queued[v] = 1
      const end = first + waiting
      queue[end >= nodes ? end - nodes : end] = v
      waiting++
    }
  }
}

/** 0 to n - 1 in random order. */
export function shuffled(n: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: n }, (_, place) => place)
  for (let last = n - 1; last > 0; last--) {
    const place = random.below(last + 1)
    const kept = order[last]
    order[last] = order[place]
    order[place] = kept
  }
  return order
}
