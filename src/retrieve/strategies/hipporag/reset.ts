import type { FactTable } from '../../../corpus/graph/graph.ts'
import type { Reset } from '../../../corpus/graph/pagerank.ts'
import { minMaxOrOne } from '../../../ranking/normalize.ts'
import { rankPairs } from '../../../ranking/order.ts'
import type { Ranking } from '../../../types.ts'

/**
 * HippoRAG 2's reset vector, the start of its walk for a query.
 *
 *     fact score      min-max of the cosines over all facts (constant -> 1)
 *     phrase weight   mean over its occurrences in the kept facts of score / passages that hold the phrase;
 *                     the `keep` best are kept, ties: the lower key
 *     passage weight  passageWeight x min-max of the cosines over all passages (constant -> 1)
 *
 * Gutiérrez et al., ICML 2025; OSU-NLP-Group/HippoRAG, `graph_search_with_fact_entities`.
 */

/** Weights of the phrases (entity rows) of scored facts. */
export function phraseWeights(
  facts: Ranking,
  { subjects, objects }: Pick<FactTable, 'subjects' | 'objects'>,
  passagesPerPhrase: Uint32Array,
  keep: number,
): Reset {
  const sums = new Map<number, { weight: number; occurrences: number }>()
  facts.rows.forEach((fact, i) => {
    for (const phrase of [subjects[fact], objects[fact]]) {
      const weight = facts.scores[i] / Math.max(1, passagesPerPhrase[phrase])
      const known = sums.get(phrase)
      if (known) {
        known.weight += weight
        known.occurrences++
      } else sums.set(phrase, { weight, occurrences: 1 })
    }
  })
  const phrases = [...sums.keys()]
  const weights = [...sums.values()].map(({ weight, occurrences }) => weight / occurrences)
  // Entity rows are in key order and rankPairs prefers the higher row on a tie: rows are counted from the end.
  const end = 0xffffffff
  const best = rankPairs(
    phrases.map((phrase) => end - phrase),
    weights,
    keep,
  )
  return { nodes: best.rows.map((row) => end - row), weights: best.scores }
}

/** Complete reset vector: weights of phrases, then of all passages, whose nodes follow those of the phrases. */
export function hippoReset(
  { nodes, weights }: Reset,
  passageScores: ArrayLike<number>,
  passageWeight: number,
  phrases: number,
): Reset {
  const passages = minMaxOrOne(passageScores, passageWeight)
  const whole = {
    nodes: new Uint32Array(nodes.length + passages.length),
    weights: new Float64Array(nodes.length + passages.length),
  }
  whole.nodes.set(nodes)
  whole.weights.set(weights)
  for (const row of passages.keys()) whole.nodes[nodes.length + row] = phrases + row
  whole.weights.set(passages, nodes.length)
  return whole
}
