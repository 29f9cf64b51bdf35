import { type Csr, strengths } from '../csr.ts'

/** Aggregated graph: a node may represent several, whose inner edges count only in its strength. */
export interface Weighted {
  readonly csr: Csr
  /** Sum of edge weights, inner edges twice. */
  readonly strengths: Float64Array
  /** Sum of all strengths: twice the weight of all edges. */
  readonly total: number
}

export function weightedGraph(csr: Csr): Weighted {
  const sums = strengths(csr)
  return { csr, strengths: sums, total: sums.reduce((sum, strength) => sum + strength, 0) }
}

/** Aggregates to one node per group; `of[u]` is the group of node u. */
export function aggregate({ csr, strengths, total }: Weighted, of: Uint32Array, groups: number): Weighted {
  const { nodes, offsets, targets, weights } = csr
  const sums = new Float64Array(groups)
  const starts = new Uint32Array(groups + 1)
  for (let u = 0; u < nodes; u++) {
    sums[of[u]] += strengths[u]
    starts[of[u] + 1]++
  }
  for (let g = 0; g < groups; g++) starts[g + 1] += starts[g]
  const next = starts.slice(0, groups)
  const members = new Uint32Array(nodes)
  for (const [u, group] of of.entries()) members[next[group]++] = u

  const between = new Float64Array(groups)
  const merged = new Uint32Array(groups + 1)
  const intoTargets = new Uint32Array(targets.length)
  const intoWeights = new Float64Array(targets.length)
  let write = 0
  for (let g = 0; g < groups; g++) {
    const begin = write
    for (let m = starts[g]; m < starts[g + 1]; m++) {
      const u = members[m]
      for (let i = offsets[u]; i < offsets[u + 1]; i++) {
        const other = of[targets[i]]
        if (other === g) continue
        if (between[other] === 0) intoTargets[write++] = other
        between[other] += weights[i]
      }
    }
    const row = intoTargets.subarray(begin, write).sort()
    for (let i = 0; i < row.length; i++) {
      intoWeights[begin + i] = between[row[i]]
      between[row[i]] = 0
    }
    merged[g + 1] = write
  }
  return {
    csr: {
      nodes: groups,
      offsets: merged,
      targets: intoTargets.slice(0, write),
      weights: intoWeights.slice(0, write),
    },
    strengths: sums,
    total,
  }
}

export function renumber(of: Uint32Array): number {
  const numbers = new Map<number, number>()
  for (let u = 0; u < of.length; u++) {
    let number = numbers.get(of[u])
    if (number === undefined) {
      number = numbers.size
      numbers.set(of[u], number)
    }
    of[u] = number
  }
  return numbers.size
}
