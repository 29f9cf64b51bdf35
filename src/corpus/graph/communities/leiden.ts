import { z } from 'zod'
import type { Csr } from '../csr.ts'
import { type LeidenOptions, leiden } from '../leiden.ts'
import { defineFinder, type NestedCommunity } from './index.ts'

export default defineFinder({
  name: 'leiden',
  version: 1,
  summary: 'hierarchical Leiden: connected, nested communities of high modularity',
  params: z.strictObject({
    maxSize: z.int().min(2).max(1_000_000).default(10).describe('communities with more entities are split'),
    resolution: z.number().positive().max(1000).default(1).describe('above 1: smaller communities'),
    seed: z.int().min(0).max(0xffffffff).default(0),
  }),
  make: (params) => ({ find: ({ csr }) => ({ communities: nestedCommunities(csr, params) }) }),
})

/**
 * Leiden on the whole graph, then on each community of more than `maxSize` nodes, and so on. Nodes without edges are
 * in no community. Sorted by level, then by lowest member.
 */
export function nestedCommunities(
  csr: Csr,
  options: LeidenOptions & { readonly maxSize: number },
): NestedCommunity[] {
  const nested: NestedCommunity[] = []
  const local = new Uint32Array(csr.nodes)
  const linked: number[] = []
  for (let u = 0; u < csr.nodes; u++) if (csr.offsets[u + 1] > csr.offsets[u]) linked.push(u)
  let open: { parent: number; members: Uint32Array }[] = [{ parent: -1, members: Uint32Array.from(linked) }]
  for (let level = 0; open.length > 0; level++) {
    const here: NestedCommunity[] = []
    for (const { parent, members } of open) {
      const of = leiden(induced(csr, members, local), options)
      const parts = split(members, of)
      if (parts.length === 1 && parent >= 0) continue
      for (const part of parts) here.push({ level, parent, members: part })
    }
    here.sort((a, b) => a.members[0] - b.members[0])
    open = []
    for (const community of here) {
      if (community.members.length > options.maxSize)
        open.push({ parent: nested.length, members: community.members })
      nested.push(community)
    }
  }
  return nested
}

/** Subgraph of `members`; its nodes are indexes into `members`. `local` has one entry per node, all 0. */
function induced({ offsets, targets, weights }: Csr, members: Uint32Array, local: Uint32Array): Csr {
  members.forEach((u, i) => {
    local[u] = i + 1
  })
  const ends = new Uint32Array(members.length + 1)
  const neighbours: number[] = []
  const sums: number[] = []
  members.forEach((u, row) => {
    for (let i = offsets[u]; i < offsets[u + 1]; i++) {
      const v = local[targets[i]]
      if (v === 0) continue
      neighbours.push(v - 1)
      sums.push(weights[i])
    }
    ends[row + 1] = neighbours.length
  })
  for (const u of members) local[u] = 0
  return {
    nodes: members.length,
    offsets: ends,
    targets: Uint32Array.from(neighbours),
    weights: Float64Array.from(sums),
  }
}

function split(members: Uint32Array, of: Uint32Array): Uint32Array[] {
  const parts: number[][] = []
  members.forEach((u, i) => {
    parts[of[i]] ??= []
    parts[of[i]].push(u)
  })
  return parts.map((part) => Uint32Array.from(part))
}
