import { type Csr, neighboursOf } from '../../corpus/graph/csr.ts'
import { pagerank, type RandomWalk, type Reset } from '../../corpus/graph/pagerank.ts'
import { EMPTY_RANKING } from '../../ranking/order.ts'
import type { Walked } from '../step.ts'

/** Personalised PageRank of the queries of a block; those without a reset reach nothing. `read` gets a query's index. */
export function walkEach<R>(
  walk: RandomWalk,
  resets: readonly (Reset | undefined)[],
  damping: number,
  read: (scores: Float64Array, query: number) => R,
): (R | typeof EMPTY_RANKING)[] {
  const walked = [...resets.entries()].flatMap(([query, reset]) => (reset ? [{ query, reset }] : []))
  const starts = walked.map(({ reset }) => reset)
  const results = pagerank(walk, starts, damping, (scores, at) => read(scores, walked[at].query))
  const byQuery = new Map(walked.map(({ query }, at) => [query, results[at]]))
  return resets.map((_, query) => byQuery.get(query) ?? EMPTY_RANKING)
}

/** Reset over entities and then all passages: the node of chunk row r is `entities` + r. */
export function resetWithPassages(
  { nodes, weights }: Reset,
  passages: Float64Array,
  entities: number,
): { readonly nodes: Uint32Array; readonly weights: Float64Array } {
  const size = nodes.length + passages.length
  const reset = {
    nodes: Uint32Array.from({ length: size }, (_, at) => entities + at - nodes.length),
    weights: new Float64Array(size),
  }
  reset.nodes.set(nodes)
  reset.weights.set(weights)
  reset.weights.set(passages, nodes.length)
  return reset
}

export function walkedPassages(
  csr: Csr,
  entities: number,
  names: readonly string[],
): (starts: Reset) => Walked {
  return (starts) => ({
    starts,
    neighbours: (node) => neighboursOf(csr, node),
    entries: (row) => [entities + row],
    endOf: (node) => (node < entities ? names[node] : node - entities),
  })
}
