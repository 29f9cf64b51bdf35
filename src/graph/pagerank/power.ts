import { checkDamping, normalizedReset, type Walk } from './walk.ts'

/**
 * Power iteration, the plain one: the reference for the other kernels (see walk.ts for the equation).
 *
 * Stops when damping / (1 - damping) x the sum of changes, which bounds the sum of all errors, is below `tolerance`,
 * or when rounding keeps it from shrinking. Returns the scores of all nodes; they sum to 1.
 */
export function power(
  walk: Walk,
  reset: ArrayLike<number>,
  damping: number,
  tolerance = 1e-13,
): Float64Array {
  checkDamping(damping)
  const { nodes, offsets, targets, weights } = walk.csr
  const v = normalizedReset(walk, reset)
  let scores = v.slice()
  let next = new Float64Array(nodes)
  const share = new Float64Array(nodes)
  let last = Number.POSITIVE_INFINITY
  for (;;) {
    let dangling = 0
    for (let u = 0; u < nodes; u++) {
      const strength = walk.strengths[u]
      if (strength > 0) share[u] = scores[u] / strength
      else dangling += scores[u]
    }
    const back = 1 - damping + damping * dangling
    let change = 0
    for (let u = 0; u < nodes; u++) {
      let sum = 0
      for (let i = offsets[u]; i < offsets[u + 1]; i++) sum += weights[i] * share[targets[i]]
      next[u] = back * v[u] + damping * sum
      change += Math.abs(next[u] - scores[u])
    }
    ;[scores, next] = [next, scores]
    const bound = (damping / (1 - damping)) * change
    if (bound < tolerance || (bound < 1e-9 && change >= last)) break
    last = change
  }
  let total = 0
  for (let u = 0; u < nodes; u++) total += scores[u]
  for (let u = 0; u < nodes; u++) scores[u] /= total
  return scores
}
