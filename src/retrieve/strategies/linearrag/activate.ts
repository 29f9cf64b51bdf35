import { type Incidence, membersOf } from '../../../corpus/graph/csr.ts'
import { minMaxOrOne } from '../../../ranking/normalize.ts'
import { rankPairs } from '../../../ranking/order.ts'
import type { ReachedEntities } from '../../steps/entities.ts'
import type { TriGraph } from './tri-graph.ts'

/**
 * LinearRAG's two stages before the walk. Semantic bridging activates entities by way of sentences, tier by tier:
 *
 *     tier 1      the entities that the query names, with their cosine
 *     tier t + 1  all entities of the `sentences` best unused sentences of each entity of tier t, with
 *                 score(entity) * cosine(query, sentence), where that is at least `threshold`
 *
 * The reset weight of an entity is its cosine if it is in tier 1, plus all scores by which it was activated. The weight
 * of a passage is
 *
 *     passageWeight * (passageRatio * minmax(cosine) + ln(1 + sum of score * ln(1 + occurrences) / tier))
 *
 * over the activated entities, each with the score and tier of its last activation.
 * Zhuang et al., LinearRAG (ICLR 2026); DEEP-PolyU/LinearRAG, `calculate_entity_scores`, `calculate_passage_scores`.
 */
export type BridgingOptions = {
  readonly tiers: number
  readonly sentences: number
  readonly threshold: number
}

/** Activated entities in the order in which each was first activated. */
export interface Activated {
  readonly rows: Uint32Array
  /** Reset weight of each. */
  readonly weights: Float64Array
  /** Score and tier of its last activation. */
  readonly scores: Float64Array
  readonly tiers: Uint32Array
}

export function activate(
  { rows, scores }: ReachedEntities,
  { sentencesOfEntity, entitiesOfSentence }: Pick<TriGraph, 'sentencesOfEntity' | 'entitiesOfSentence'>,
  cosines: (sentences: readonly number[]) => ArrayLike<number>,
  { tiers, sentences, threshold }: BridgingOptions,
): Activated {
  const weights = new Map<number, number>(Array.from(rows, (row, i) => [row, scores[i]]))
  const last = new Map(Array.from(rows, (row, i) => [row, { score: scores[i], tier: 1 }]))
  const used = new Set<number>()
  let current = new Map(last)
  for (let tier = 2; tier <= tiers; tier++) {
    const next = new Map<number, { score: number; tier: number }>()
    for (const [entity, { score }] of current) {
      if (score < threshold) continue
      const unused = [...membersOf(sentencesOfEntity, entity)].filter((sentence) => !used.has(sentence))
      const best = rankPairs(unused, cosines(unused), sentences)
      best.rows.forEach((sentence, i) => {
        used.add(sentence)
        const reached = score * best.scores[i]
        if (reached < threshold) return
        for (const other of membersOf(entitiesOfSentence, sentence)) {
          weights.set(other, (weights.get(other) ?? 0) + reached)
          next.set(other, { score: reached, tier })
        }
      })
    }
    for (const [entity, activation] of next) last.set(entity, activation)
    current = next
  }
  const found = [...last]
  return {
    rows: Uint32Array.from(found, ([row]) => row),
    weights: Float64Array.from(found, ([row]) => weights.get(row) as number),
    scores: Float64Array.from(found, ([, { score }]) => score),
    tiers: Uint32Array.from(found, ([, { tier }]) => tier),
  }
}

export type PassageOptions = { readonly passageRatio: number; readonly passageWeight: number }

/** Reset of the walk: activated entities, then all passages, whose nodes follow those of the entities. Empty if none is activated. */
export function triReset(
  { rows, weights, scores, tiers }: Activated,
  cosines: ArrayLike<number>,
  occurrences: Incidence,
  { passageRatio, passageWeight }: PassageOptions,
): { readonly nodes: Uint32Array; readonly weights: Float64Array } {
  if (rows.length === 0) return { nodes: rows, weights }
  const bonus = new Float64Array(cosines.length)
  rows.forEach((entity, i) => {
    for (let at = occurrences.offsets[entity]; at < occurrences.offsets[entity + 1]; at++)
      bonus[occurrences.members[at]] += (scores[i] * Math.log(1 + occurrences.counts[at])) / tiers[i]
  })
  const passages = minMaxOrOne(cosines, passageRatio)
  const reset = {
    nodes: new Uint32Array(rows.length + passages.length),
    weights: new Float64Array(rows.length + passages.length),
  }
  reset.nodes.set(rows)
  reset.weights.set(weights)
  const entities = occurrences.offsets.length - 1
  passages.forEach((passage, row) => {
    reset.nodes[rows.length + row] = entities + row
    reset.weights[rows.length + row] = passageWeight * (passage + Math.log(1 + bonus[row]))
  })
  // A name may have a negative cosine to its nearest entity.
  return { ...reset, weights: reset.weights.map((weight) => Math.max(0, weight)) }
}
