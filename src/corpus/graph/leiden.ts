import { createRandom, type Random, shuffle } from '../../random.ts'
import { type Csr, strengths } from './csr.ts'
import { components } from './neighbors.ts'

export interface LeidenOptions {
  readonly resolution: number
  readonly seed: number
}

/** Maximum runs, each starting from the previous result while that improves it. */
const ROUNDS = 3

/**
 * Leiden algorithm (Traag, Waltman, van Eck, Scientific Reports 9, 2019): connected communities with high modularity.
 * Returns each node's community, numbered from 0 by lowest node.
 *
 *     modularity = sum over communities of weight inside / weight - resolution (strength / 2 weight)^2
 */
export function leiden(csr: Csr, { resolution, seed }: LeidenOptions): Uint32Array {
  const random = createRandom(seed)
  const graph = weightedGraph(csr)
  let best: Uint32Array = Uint32Array.from({ length: csr.nodes }, (_, u) => u)
  if (graph.total === 0) return best
  let quality = Number.NEGATIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const partition = runRound(graph, best.slice())
    const now = modularityOf(graph, partition, resolution)
    if (now <= quality + 1e-9) break
    best = partition
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
    return components(
      whole.csr,
      nodeOf.map((node) => of[node]),
    ).of
  }
}

export function modularity(csr: Csr, of: ArrayLike<number>, resolution = 1): number {
  return modularityOf(weightedGraph(csr), of, resolution)
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

/**
 * Refinement: inside each community, nodes start alone and join the well-connected group with the largest gain (the
 * paper draws). Returns the groups, named by one of their nodes.
 *
 *     well connected: weight(T, C - T) >= resolution strength(T) strength(C - T) / total
 */
function refine(graph: Weighted, of: Uint32Array, resolution: number, random: Random): Uint32Array {
  const { csr, strengths, total } = graph
  const { nodes, offsets, targets, weights } = csr
  const inCommunity = new Float64Array(nodes)
  for (let u = 0; u < nodes; u++) inCommunity[of[u]] += strengths[u]

  const group = Uint32Array.from({ length: nodes }, (_, u) => u)
  const sizes = new Uint32Array(nodes).fill(1)
  const sums = strengths.slice()
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
    let max = 0
    let joining = 0
    for (let i = 0; i < count; i++) {
      const g = near[i]
      const gain = toward[g] - (resolution * strengths[u] * sums[g]) / total
      if (gain > max && isWellConnected(g, community)) {
        max = gain
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

/** Gains below this share of the node's strength are rounding errors. */
const MIN_GAIN = 1e-12

/**
 * Moves every node to the neighbouring community (or a new one) with the largest gain, until no node gains. Changes `of`
 * in place.
 *
 *     gain of u in c = weight(u, c) - resolution strength(u) strength(c without u) / total
 */
function moveNodes(graph: Weighted, of: Uint32Array, resolution: number, random: Random): void {
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
    const current = of[u]
    const strength = strengths[u]
    let count = 0
    for (let i = offsets[u]; i < offsets[u + 1]; i++) {
      const c = of[targets[i]]
      if (toward[c] === 0) near[count++] = c
      toward[c] += weights[i]
    }
    const share = (resolution * strength) / total
    const stay = toward[current] - share * (sums[current] - strength)
    let best = current
    let max = stay + MIN_GAIN * strength
    for (let i = 0; i < count; i++) {
      const c = near[i]
      const gain = toward[c] - share * sums[c]
      toward[c] = 0
      if (c !== current && gain > max) {
        max = gain
        best = c
      }
    }
    if (max < 0 && sizes[current] > 1) best = empty[empty.length - 1]
    if (best === current) continue
    sums[current] -= strength
    sums[best] += strength
    if (sizes[best]++ === 0) empty.pop()
    if (--sizes[current] === 0) {
      sums[current] = 0
      empty.push(current)
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

function shuffled(n: number, random: Random): Uint32Array {
  return shuffle(
    Uint32Array.from({ length: n }, (_, i) => i),
    random,
  )
}

/** Aggregated graph: a node may represent several, whose inner edges count only in its strength. */
interface Weighted {
  readonly csr: Csr
  readonly strengths: Float64Array
  readonly total: number
}

function weightedGraph(csr: Csr): Weighted {
  const sums = strengths(csr)
  return { csr, strengths: sums, total: sums.reduce((sum, strength) => sum + strength, 0) }
}

function aggregate({ csr, strengths, total }: Weighted, of: Uint32Array, groups: number): Weighted {
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

function renumber(of: Uint32Array): number {
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
