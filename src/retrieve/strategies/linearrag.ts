import { z } from 'zod'
import { denseIndex } from '../../corpus/dense/dense.ts'
import { type Incidence, membersOf } from '../../corpus/graph/csr.ts'
import { entitiesTable } from '../../corpus/graph/extraction.ts'
import { sentenceIndex, type TriGraph, triGraph } from '../../corpus/graph/tri-graph.ts'
import type { Mask } from '../../ranking/mask.ts'
import { minMaxOrOne } from '../../ranking/normalize.ts'
import { rankPairs, rankScores } from '../../ranking/order.ts'
import { derived } from '../../store/artifact.ts'
import { defineStep } from '../step.ts'
import { fallback } from '../steps/combine.ts'
import type { ReachedEntities } from '../steps/entities.ts'
import { hashNames, namesFile, queryNames } from '../steps/keywords.ts'
import { linkNames } from '../steps/link.ts'
import { count, damping, pool, share, weight } from '../steps/params.ts'
import { embedGraphQuery, embedQuery, searchDense } from '../steps/search.ts'
import { resetWithPassages, walkEach, walkedPassages } from '../steps/walk.ts'
import { defineStrategy } from './index.ts'

/**
 * LinearRAG's stages before the walk (formulas: docs/definitions.md). DEEP-PolyU/LinearRAG, `calculate_entity_scores`,
 * `calculate_passage_scores`.
 */
type BridgingOptions = { readonly tiers: number; readonly sentences: number; readonly threshold: number }

interface Activated {
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
  const activated = [...last]
  return {
    rows: Uint32Array.from(activated, ([row]) => row),
    weights: Float64Array.from(activated, ([row]) => weights.get(row) as number),
    scores: Float64Array.from(activated, ([, { score }]) => score),
    tiers: Uint32Array.from(activated, ([, { tier }]) => tier),
  }
}

type PassageOptions = { readonly passageRatio: number; readonly passageWeight: number }

/** Reset of the walk: activated entities, then all passages. Empty if none is activated. */
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
  const passages = minMaxOrOne(cosines, passageRatio).map(
    (cosine, row) => passageWeight * (cosine + Math.log(1 + bonus[row])),
  )
  const reset = resetWithPassages({ nodes: rows, weights }, passages, occurrences.offsets.length - 1)
  // A name may have a negative cosine to its nearest entity.
  return { ...reset, weights: reset.weights.map((weight) => Math.max(0, weight)) }
}

interface Bridge extends Activated {
  readonly names: readonly string[]
}

const bridgeEntities = defineStep({
  name: 'bridge-entities',
  artifacts: (recipe, _: BridgingOptions) => ({
    tri: triGraph(recipe),
    sentences: sentenceIndex(recipe),
    table: entitiesTable(recipe),
  }),
  facts: ({ rows, names }: Bridge) => ({
    counts: { activated: rows.length },
    notes: { 'activated entities': names.join('; ') || 'none' },
  }),
  run(
    [linked, vector]: [ReachedEntities, Float32Array],
    { params, artifacts: { tri, sentences, table } },
  ): Bridge {
    const activated = activate(linked, tri, (rows) => sentences.cosines(rows, vector), params)
    return { ...activated, names: Array.from(activated.rows, (row) => table.names[row]) }
  },
})

type WalkParams = PassageOptions & { readonly damping: number; readonly depth: number }

/** The `depth` passages with the highest personalised PageRank over entities and passages. Nothing activated finds nothing. */
const walkTriGraph = defineStep({
  name: 'tri-graph-walk',
  within: true,
  channel: 'graph',
  artifacts: (recipe, _: WalkParams) => ({ tri: triGraph(recipe), dense: denseIndex(recipe) }),
  walked: (recipe) =>
    derived(
      'walked_tri_graph',
      { tri: triGraph(recipe), table: entitiesTable(recipe) },
      ({ tri: { entities, walk }, table }) => {
        const walked = walkedPassages(walk.csr, entities, table.names)
        return ([{ rows, weights }]: [Activated]) => walked({ nodes: rows, weights })
      },
    ),
  runBlock(block: readonly [Activated, Float32Array, Mask?][], { params, artifacts: { tri, dense } }) {
    const { damping, depth } = params
    const { entities, occurrences, walk } = tri
    const cosines = dense.scores(block.map(([, vector]) => vector))
    const resets = block.map(([activated], query) => {
      const reset = triReset(activated, cosines[query], occurrences, params)
      return reset.weights.some((weight) => weight > 0) ? reset : undefined
    })
    return walkEach(walk, resets, damping, (scores, query) =>
      rankScores(scores.subarray(entities), depth, { within: block[query][2]?.kept }),
    )
  },
})

const params = z.strictObject({
  names: namesFile(),
  tiers: count(3, 'tiers of activated entities; the first is those that the question names', 20),
  sentences: count(3, 'sentences of an entity that activate the entities in them', 100),
  threshold: share(0.4, 'minimum score of an activated entity'),
  passageRatio: weight(2, "weight of a passage's cosine relative to its entities", 100),
  passageWeight: weight(0.05, 'weight of passages relative to entities at the start of the walk', 100),
  damping: damping(0.5),
  pool: pool(),
})

export default defineStrategy({
  name: 'linearrag',
  summary:
    "ranks passages by a random walk (personalised PageRank) from the query's entities and from entities that share a sentence with them",
  source: 'Zhuang et al., LinearRAG (ICLR 2026); DEEP-PolyU/LinearRAG',
  params,
  files: hashNames,
  make: (params) => ({
    retrieve(query) {
      const { tiers, sentences, threshold, damping, passageRatio, passageWeight, pool: depth } = params
      const linked = linkNames([queryNames(query, params.names)])
      const activated = bridgeEntities([linked, embedGraphQuery(query)], { tiers, sentences, threshold })
      const vector = embedQuery([query])
      const walked = walkTriGraph([activated, vector], { damping, passageRatio, passageWeight, depth })
      return { ranking: fallback(walked, searchDense([vector], { depth }), 'the question names no entity') }
    },
  }),
})
