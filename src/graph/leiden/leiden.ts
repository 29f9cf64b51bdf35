import { createRandom } from '../../statistics/random.ts'
import type { Csr } from '../csr.ts'
import { moveNodes } from './move.ts'
import { refine } from './refine.ts'
import { aggregate, renumber, type Weighted, weighted } from './weighted.ts'

export interface LeidenOptions {
  /** Above 1 gives smaller communities, below 1 larger ones. */
  readonly resolution: number
  readonly seed: number
}

/** How often the whole is run again from what it found, while that still improves it. */
const ROUNDS = 3

/**
 * Communities by the Leiden algorithm: partition of the nodes with high modularity, every community connected.
 *
 *     modularity = sum over communities of weight inside / weight - resolution (strength / 2 weight)^2
 *
 * Move nodes, refine the communities, make each refined group a node, and again, until every community is one node.
 * The same graph and seed give the same communities. Traag, Waltman, van Eck: From Louvain to Leiden, Scientific
 * Reports 9, 2019.
 *
 * Returns each node's community, numbered from 0 by lowest node.
 */
export function leiden(csr: Csr, { resolution, seed }: LeidenOptions): Uint32Array {
  const random = createRandom(seed)
  const graph = weighted(csr)
  let best: Uint32Array = Uint32Array.from({ length: csr.nodes }, (_, u) => u)
  if (graph.total === 0) return best
  let quality = Number.NEGATIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const found = runRound(graph, best.slice())
    const now = modularityOf(graph, found, resolution)
    if (now <= quality + 1e-9) break
    best = found
    quality = now
  }
  return best

  function runRound(whole: Weighted, start: Uint32Array): Uint32Array {
    const nodeOf = Uint32Array.from({ length: whole.csr.nodes }, (_, u) => u)
    let level = whole
    let of = start
    for (;;) {
      moveNodes(level, of, resolution, random)
      const communities = renumber(of)
      if (communities === level.csr.nodes) break
      const group = refine(level, of, resolution, random)
      const groups = renumber(group)
      if (groups === level.csr.nodes) break
      const next = new Uint32Array(groups)
      for (let u = 0; u < of.length; u++) next[group[u]] = of[u]
      for (let u = 0; u < nodeOf.length; u++) nodeOf[u] = group[nodeOf[u]]
      level = aggregate(level, group, groups)
      of = next
    }
    const found = Uint32Array.from(nodeOf, (node) => of[node])
    return connected(whole.csr, found)
  }
}

/** Modularity of a partition. */
export function modularity(csr: Csr, of: ArrayLike<number>, resolution = 1): number {
  return modularityOf(weighted(csr), of, resolution)
}

function modularityOf(
  { csr, strengths, total }: Weighted,
  of: ArrayLike<number>,
  resolution: number,
): number {
  const { nodes, offsets, targets, weights } = csr
  const sums = new Map<number, number>()
  let inside = 0
  for (let u = 0; u < nodes; u++) {
    sums.set(of[u], (sums.get(of[u]) ?? 0) + strengths[u])
    for (let i = offsets[u]; i < offsets[u + 1]; i++) if (of[targets[i]] === of[u]) inside += weights[i]
  }
  let expected = 0
  for (const sum of sums.values()) expected += (sum / total) ** 2
  return inside / total - resolution * expected
}

/** Splits what is not connected, and numbers the communities by lowest node. */
function connected({ nodes, offsets, targets }: Csr, of: Uint32Array): Uint32Array {
  const unseen = 0xffffffff
  const result = new Uint32Array(nodes).fill(unseen)
  const queue = new Uint32Array(nodes)
  let count = 0
  for (let start = 0; start < nodes; start++) {
    if (result[start] !== unseen) continue
    let end = 0
    queue[end++] = start
    result[start] = count
    for (let next = 0; next < end; next++) {
      const u = queue[next]
      for (let i = offsets[u]; i < offsets[u + 1]; i++) {
        const v = targets[i]
        if (result[v] !== unseen || of[v] !== of[u]) continue
        result[v] = count
        queue[end++] = v
      }
    }
    count++
  }
  return result
}
