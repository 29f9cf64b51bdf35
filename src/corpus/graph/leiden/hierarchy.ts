import type { Csr } from '../csr.ts'
import { type LeidenOptions, leiden } from './leiden.ts'

interface HierarchyOptions extends LeidenOptions {
  readonly maxSize: number
}

/** A community of the hierarchy; `members` ascending. */
export interface NestedCommunity {
  /** 0 is the coarsest. */
  readonly level: number
  /** Place of the parent in the list, or -1. */
  readonly parent: number
  readonly members: Uint32Array
}

/**
 * Leiden on the whole graph, then on each community of more than `maxSize` nodes, and so on. Children are a partition of
 * their parent. Nodes without edges are in no community. Sorted by level, then by lowest member.
 */
export function nestedCommunities(csr: Csr, options: HierarchyOptions): NestedCommunity[] {
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
      // A community that cannot be split stays as it is.
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

/** Subgraph of `members`; its nodes are indexes into `members`. `local` is working memory of one entry per node. */
function induced({ offsets, targets, weights }: Csr, members: Uint32Array, local: Uint32Array): Csr {
  const outside = 0xffffffff
  members.forEach((u, i) => {
    local[u] = i + 1
  })
  const indexOf = (u: number) => (local[u] === 0 ? outside : local[u] - 1)
  const inner = new Uint32Array(members.length + 1)
  let entries = 0
  members.forEach((u, row) => {
    for (let i = offsets[u]; i < offsets[u + 1]; i++) if (indexOf(targets[i]) !== outside) entries++
    inner[row + 1] = entries
  })
  const intoTargets = new Uint32Array(entries)
  const intoWeights = new Float64Array(entries)
  let write = 0
  for (const u of members)
    for (let i = offsets[u]; i < offsets[u + 1]; i++) {
      const v = indexOf(targets[i])
      if (v === outside) continue
      intoTargets[write] = v
      intoWeights[write++] = weights[i]
    }
  for (const u of members) local[u] = 0
  return { nodes: members.length, offsets: inner, targets: intoTargets, weights: intoWeights }
}

function split(members: Uint32Array, of: Uint32Array): Uint32Array[] {
  const parts: number[][] = []
  members.forEach((u, i) => {
    const community = of[i]
    parts[community] ??= []
    parts[community].push(u)
  })
  return parts.map((part) => Uint32Array.from(part))
}
