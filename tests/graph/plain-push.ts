import type { PushLimits } from '../../src/graph/pagerank/push.ts'
import type { SparseReset, Walk } from '../../src/graph/pagerank/walk.ts'

/** Forward push as one plain loop: nodes in the order of being reached, with their scores. */
export function plainPush({ csr, strengths }: Walk, reset: SparseReset, damping: number, limits: PushLimits) {
  const estimate = new Map<number, number>()
  const residual = new Map<number, number>()
  const total = Array.from(reset.weights).reduce((sum, weight) => sum + weight, 0)
  Array.from(reset.nodes).forEach((u, i) => {
    if (reset.weights[i] > 0) residual.set(u, reset.weights[i] / total)
  })
  let lost = 0
  let edges = 0
  let epsilon = 1e-3
  while (edges < limits.edges) {
    let pushed = false
    for (const [u, mass] of residual) {
      if (edges >= limits.edges) break
      if (mass <= epsilon * strengths[u]) continue
      pushed = true
      residual.set(u, 0)
      estimate.set(u, (estimate.get(u) ?? 0) + (1 - damping) * mass)
      if (strengths[u] === 0) {
        lost += damping * mass
        continue
      }
      const share = (damping * mass) / strengths[u]
      edges += csr.offsets[u + 1] - csr.offsets[u]
      for (let i = csr.offsets[u]; i < csr.offsets[u + 1]; i++)
        residual.set(csr.targets[i], (residual.get(csr.targets[i]) ?? 0) + share * csr.weights[i])
    }
    if (pushed) continue
    if (epsilon <= limits.epsilon) break
    epsilon = Math.max(limits.epsilon, epsilon / 8)
  }
  const nodes = [...residual.keys()]
  const left = nodes.map((u) => residual.get(u) ?? 0)
  return {
    nodes,
    scores: nodes.map((u, i) => ((estimate.get(u) ?? 0) + (1 - damping) * left[i]) / (1 - lost)),
    bound: (damping * left.reduce((sum, mass) => sum + mass, 0)) / (1 - lost),
  }
}
