import type { Random } from '../../statistics/random.ts'
import { shuffled } from './move.ts'
import type { Weighted } from './weighted.ts'

/**
 * Refinement: inside each community, nodes start alone and are merged along edges into groups that are well connected
 * to the rest of their community, so that every group is connected.
 *
 *     well connected: weight(T, C - T) >= resolution strength(T) strength(C - T) / total
 *
 * Each node joins the group where it gains most (the paper draws among the groups where it gains anything; the random
 * order of nodes remains). Returns the groups, named by one of their nodes.
 */
export function refine(graph: Weighted, of: Uint32Array, resolution: number, random: Random): Uint32Array {
  const { csr, strengths, total } = graph
  const { nodes, offsets, targets, weights } = csr
  const inCommunity = new Float64Array(nodes)
  for (let u = 0; u < nodes; u++) inCommunity[of[u]] += strengths[u]

  const group = Uint32Array.from({ length: nodes }, (_, u) => u)
  const sizes = new Uint32Array(nodes).fill(1)
  const sums = strengths.slice()
  /** Weight between a group and the rest of its community. */
  const outward = new Float64Array(nodes)
  for (let u = 0; u < nodes; u++)
    for (let i = offsets[u]; i < offsets[u + 1]; i++) if (of[targets[i]] === of[u]) outward[u] += weights[i]
  const isWellConnected = (g: number, community: number) =>
    outward[g] >= (resolution * sums[g] * (inCommunity[community] - sums[g])) / total

  const toward = new Float64Array(nodes)
  const near = new Uint32Array(nodes)
  for (const u of shuffled(nodes, random)) {
    const community = of[u]
    if (group[u] !== u || sizes[u] !== 1 || !isWellConnected(u, community)) continue
    let count = 0
    for (let i = offsets[u]; i < offsets[u + 1]; i++) {
      const v = targets[i]
      if (of[v] !== community) continue
      const g = group[v]
      if (toward[g] === 0) near[count++] = g
      toward[g] += weights[i]
    }
    let best = u
    let most = 0
    let joining = 0
    for (let i = 0; i < count; i++) {
      const g = near[i]
      const gain = toward[g] - (resolution * strengths[u] * sums[g]) / total
      if (gain > most && isWellConnected(g, community)) {
        most = gain
        best = g
        joining = toward[g]
      }
      toward[g] = 0
    }
    if (best === u) continue
    group[u] = best
    sizes[u] = 0
    sizes[best]++
    sums[best] += strengths[u]
    outward[best] += outward[u] - 2 * joining
  }
  return group
}
