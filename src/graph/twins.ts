import type { Csr } from './csr.ts'

/**
 * Nodes with the same neighbours at the same weights, in chains: `lowest[u]` is the lowest of node u's twins, itself
 * included, and `next[u]` the next higher one; a node without a higher one has itself there.
 */
export interface Twins {
  readonly lowest: Uint32Array
  readonly next: Uint32Array
}

/** Linear but for nodes whose edges have the same hash and differ. */
export function findTwins(csr: Csr): Twins {
  const lowest = Uint32Array.from({ length: csr.nodes }, (_, u) => u)
  const next = lowest.slice()
  const last = lowest.slice()
  const byHash = new Map<number, number[]>()
  for (let u = 0; u < csr.nodes; u++) {
    const key = hashEdges(csr, u)
    const known = byHash.get(key)
    const twin = known?.find((other) => sameEdges(csr, other, u))
    if (twin !== undefined) {
      lowest[u] = twin
      next[last[twin]] = u
      last[twin] = u
    } else if (known) known.push(u)
    else byHash.set(key, [u])
  }
  return { lowest, next }
}

/** FNV-1a over the neighbours; weights seldom tell apart what neighbours do not. */
function hashEdges({ offsets, targets }: Csr, u: number): number {
  let hash = 0x811c9dc5
  for (let i = offsets[u]; i < offsets[u + 1]; i++) hash = Math.imul(hash ^ targets[i], 0x01000193)
  return hash
}

function sameEdges({ offsets, targets, weights }: Csr, a: number, b: number): boolean {
  const count = offsets[a + 1] - offsets[a]
  if (offsets[b + 1] - offsets[b] !== count) return false
  for (let i = 0; i < count; i++) {
    const inA = offsets[a] + i
    const inB = offsets[b] + i
    if (targets[inA] !== targets[inB] || weights[inA] !== weights[inB]) return false
  }
  return true
}
