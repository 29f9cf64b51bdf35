import type { RandomWalk } from '../../../src/corpus/graph/pagerank.ts'

/** Personalised PageRank by plain power iteration, to `tolerance` in the sum of all errors: the oracle on large graphs. */
export function powerIteration(
  { csr, strengths }: RandomWalk,
  reset: ArrayLike<number>,
  damping: number,
  tolerance = 1e-13,
): Float64Array {
  const { nodes, offsets, targets, weights } = csr
  const total = Array.from(reset).reduce((sum, weight) => sum + weight, 0)
  const v = Float64Array.from(reset, (weight) => weight / total)
  let scores = v.slice()
  let next = new Float64Array(nodes)
  const share = new Float64Array(nodes)
  let last = Number.POSITIVE_INFINITY
  for (;;) {
    let dangling = 0
    for (let u = 0; u < nodes; u++)
      if (strengths[u] > 0) share[u] = scores[u] / strengths[u]
      else dangling += scores[u]
    const back = 1 - damping + damping * dangling
    let change = 0
    for (let u = 0; u < nodes; u++) {
      const end = offsets[u + 1]
      let sum = 0
      for (let i = offsets[u]; i < end; i++) sum += weights[i] * share[targets[i]]
      next[u] = back * v[u] + damping * sum
      change += Math.abs(next[u] - scores[u])
    }
    ;[scores, next] = [next, scores]
    const bound = (damping / (1 - damping)) * change
    if (bound < tolerance || (bound < 1e-9 && change >= last)) break
    last = change
  }
  const sum = scores.reduce((a, b) => a + b, 0)
  return scores.map((score) => score / sum)
}
