import { z } from 'zod'
import { chunkSpans } from '../../corpus/corpus.ts'
import { denseIndex } from '../../corpus/dense/dense.ts'
import { type Incidence, membersOf } from '../../corpus/graph/csr.ts'
import type { Graph } from '../../corpus/graph/graph.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { addTo } from '../../maps.ts'
import { promptFiles } from '../../models/prompts/prompt.ts'
import { cutToBudget, pollWeighted, roundRobin } from '../../ranking/cut.ts'
import type { Mask } from '../../ranking/mask.ts'
import { EMPTY_RANKING, head, rankList, rankPairs } from '../../ranking/order.ts'
import { derived } from '../../store/artifact.ts'
import type { Evidence, Ranking } from '../../types.ts'
import { defineStep, type Walked } from '../step.ts'
import { refuseIdleRole, roleParams } from '../steps/asking.ts'
import { fallbackUnlinked } from '../steps/combine.ts'
import { anyLinked, graphInput, textsInput, walkedEntities } from '../steps/entities.ts'
import { embedKeywords, keywordsOf } from '../steps/keywords.ts'
import { linkEntities, linkRelationships } from '../steps/link.ts'
import { count, pool } from '../steps/params.ts'
import { embedQuery, searchDense } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

/** o200k tokens of entities and of relationships in the context: `max_entity_tokens` and `max_relation_tokens` of LightRAG. */
const ENTITY_TOKENS = 6000
const RELATIONSHIP_TOKENS = 8000

/** Rows, best first. */
interface LightSelection {
  readonly entities: readonly number[]
  readonly relationships: readonly number[]
}

/**
 * LightRAG's context around linked entities and relationships, each cut at its tokens. HKUDS/LightRAG,
 * lightrag/operate.py, `kg_query`.
 *
 *     local    the entities; their relationships by (sum of degrees, weight)
 *     global   the relationships; the entities at their ends
 *     hybrid   both, alternating, local first
 */
const selectLightContext = defineStep({
  name: 'select-light',
  artifacts: (recipe, _: { readonly sides: 'local' | 'global' | 'hybrid' }) => ({
    ...graphInput(recipe),
    ...textsInput(recipe),
  }),
  run(linked: readonly Ranking[], { params: { sides }, artifacts: { graph, texts } }): LightSelection {
    const selections = [
      ...(sides === 'global' ? [] : [selectLocal(linked[0], graph)]),
      ...(sides === 'local' ? [] : [selectGlobal(linked[linked.length - 1], graph)]),
    ]
    const entities = roundRobin(selections.map((selection) => selection.entities))
    const relationships = roundRobin(selections.map((selection) => selection.relationships))
    return {
      entities: cutToBudget(entities, texts.sizes.entity, ENTITY_TOKENS).rows,
      relationships: cutToBudget(relationships, texts.sizes.relationship, RELATIONSHIP_TOKENS).rows,
    }
  },
})

function selectLocal({ rows }: Ranking, { relationshipsOfEntity, relationships }: Graph): LightSelection {
  const { combinedDegrees, weights } = relationships
  const entities = [...rows]
  const touching = new Set(entities.flatMap((entity) => [...membersOf(relationshipsOfEntity, entity)]))
  const byDegree = (a: number, b: number) =>
    combinedDegrees[b] - combinedDegrees[a] || weights[b] - weights[a]
  return { entities, relationships: [...touching].sort(byDegree) }
}

function selectGlobal({ rows }: Ranking, { relationships: { sources, targets } }: Graph): LightSelection {
  const relationships = [...rows]
  const ends = relationships.flatMap((row) => [sources[row], targets[row]])
  return { entities: [...new Set(ends)], relationships }
}

const citeLight = defineStep({
  name: 'cite-light',
  artifacts: textsInput,
  run([{ entities, relationships }]: [LightSelection], { artifacts: { texts } }) {
    return [...entities.map(texts.entity), ...relationships.map(texts.relationship)]
  },
})

const CHUNK_PICKS = ['vector', 'weight'] as const

type PickParams = { readonly pick: (typeof CHUNK_PICKS)[number] }

/** `related_chunk_number` of LightRAG. */
const PER_OWNER = 5

const picking = {
  channel: 'graph',
  within: true,
  artifacts: (recipe: Recipe, _: PickParams) => ({ ...graphInput(recipe), dense: denseIndex(recipe) }),
} as const

/**
 * LightRAG's choice of chunks of owners (entities or relationships, best first),
 * `_find_related_text_unit_from_entities`. A chunk belongs to its first owner; within an owner, chunks of more owners
 * come first.
 *
 *     weight   weighted polling, from 5 chunks of the first owner to 1 of the last
 *     vector   the 5 x owners / 2 chunks with the best cosine to the query; ties: the higher row
 */
function pickChunks(
  owners: readonly number[],
  chunksOf: Incidence,
  isAllowed: (chunk: number) => boolean,
  { pick }: PickParams,
  cosines: (chunks: readonly number[]) => ArrayLike<number>,
): Ranking {
  const occurrences = new Map<number, number>()
  const owned = owners.flatMap((owner) => {
    const chunks = [...membersOf(chunksOf, owner)].filter(isAllowed)
    const first = chunks.filter((chunk) => !occurrences.has(chunk))
    for (const chunk of chunks) occurrences.set(chunk, (occurrences.get(chunk) ?? 0) + 1)
    return chunks.length > 0 ? [first] : []
  })
  if (owned.length === 0) return EMPTY_RANKING
  for (const chunks of owned) chunks.sort((a, b) => (occurrences.get(b) ?? 0) - (occurrences.get(a) ?? 0))
  if (pick === 'weight') return rankList(pollWeighted(owned, PER_OWNER, 1))
  const all = owned.flat()
  return rankList(rankPairs(all, cosines(all), Math.floor((PER_OWNER * owned.length) / 2)).rows)
}

const pickEntityChunks = defineStep({
  ...picking,
  name: 'pick-entity-chunks',
  walked: (recipe) =>
    derived(
      'walked_light',
      graphInput(recipe),
      ({ graph }) =>
        ([selection]: [LightSelection]) =>
          walkedLight(graph, selection),
    ),
  run(
    [{ entities }, vector, mask]: [LightSelection, Float32Array, Mask?],
    { params, artifacts: { graph, dense } },
  ) {
    const isAllowed = (chunk: number) => mask?.kept[chunk] !== 0
    return pickChunks(entities, graph.chunksOfEntity, isAllowed, params, (rows) =>
      dense.cosines(rows, vector),
    )
  },
})

/** Walk from the entities of a context over the relationships of the context, to the chunks of its entities. */
function walkedLight(graph: Graph, { entities, relationships }: LightSelection): Walked {
  const { sources, targets } = graph.relationships
  const joined = new Map<number, number[]>()
  for (const row of relationships) {
    addTo(joined, sources[row], targets[row])
    addTo(joined, targets[row], sources[row])
  }
  // The earlier an entity stands in the context, the heavier it is as a start; ends of relationships come last.
  const nodes = [...new Set([...entities, ...joined.keys()])]
  const starts = { nodes, weights: nodes.map((_, at) => 1 / (1 + at)) }
  return walkedEntities(graph, starts, (entity) => joined.get(entity) ?? [])
}

/** Chunks picked behind the selected relationships, by order, without those already picked behind entities. */
const pickRelationshipChunks = defineStep({
  ...picking,
  name: 'pick-relationship-chunks',
  run(
    [{ relationships }, vector, { rows }, mask]: [LightSelection, Float32Array, Ranking, Mask?],
    { params, artifacts: { graph, dense } },
  ) {
    const picked = new Set(rows)
    const isAllowed = (chunk: number) => !picked.has(chunk) && mask?.kept[chunk] !== 0
    return pickChunks(relationships, graph.chunksOfRelationship, isAllowed, params, (rows) =>
      dense.cosines(rows, vector),
    )
  },
})

const rankLight = defineStep({
  name: 'rank-light',
  yields: 'ranking',
  artifacts: (recipe, _: { readonly contextTokens: number; readonly depth: number }) => ({
    chunks: chunkSpans(recipe),
  }),
  run(
    [evidence, ...rankings]: [readonly Evidence[], ...Ranking[]],
    { params: { contextTokens, depth }, artifacts: { chunks } },
  ) {
    const used = evidence.reduce((sum, { tokens }) => sum + tokens, 0)
    const merged = roundRobin(rankings.map(({ rows }) => Array.from(rows))).slice(0, depth)
    return rankList(cutToBudget(merged, (row) => chunks[row].tokens, contextTokens - used).rows)
  },
})

const cutDense = defineStep<{ readonly chunks: number; readonly above: number }, [Ranking], Ranking>({
  name: 'cut-dense',
  yields: 'ranking',
  run([ranking], { params: { chunks, above } }) {
    return head(ranking, Math.min(chunks, ranking.scores.filter((score) => score > above).length))
  },
})

/** Minimum cosine of linked entities, relationships and dense chunks: `COSINE_THRESHOLD` of LightRAG. */
const ABOVE = 0.2

const HOLES = ['query']

export default defineStrategy({
  name: 'lightrag',
  summary: "finds the entities and relationships nearest to the query's keywords, and ranks their chunks",
  source: 'Guo et al., 2024; HKUDS/LightRAG',
  params: z
    .strictObject({
      mode: z
        .enum(['mix', 'hybrid', 'local', 'global'])
        .default('mix')
        .describe('search by entities, by relationships, by both, or mixed with dense search'),
      entities: count(40, 'entities linked'),
      relationships: count(40, 'relationships linked'),
      chunks: count(20, 'dense chunks added; mix'),
      keep: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe('maximum number of chunks after the merge, 20 in the original; default: all that fit'),
      pick: z
        .enum(CHUNK_PICKS)
        .default('vector')
        .describe('selection of chunks of linked entities and relationships'),
      contextTokens: z
        .int()
        .min(0)
        .max(1_000_000)
        .default(30_000)
        .describe('o200k tokens of the whole context'),
      pool: pool(),
      ...roleParams('finds the keywords, in place of rules', HOLES),
    })
    .superRefine(refuseIdleRole),
  files: promptFiles(HOLES),
  make: ({ mode, entities, relationships, chunks, keep, pick, contextTokens, pool: depth, ...role }) => ({
    retrieve(query) {
      const keywords = keywordsOf(query, role)
      const things = linkEntities([embedKeywords([keywords], { kind: 'low' })], { entities, above: ABOVE })
      const themes = linkRelationships([embedKeywords([keywords], { kind: 'high' })], {
        relationships,
        above: ABOVE,
      })
      const sides = mode === 'mix' ? 'hybrid' : mode
      const sought = sides === 'local' ? [things] : sides === 'global' ? [themes] : [things, themes]
      const selection = selectLightContext(sought, { sides })
      const vector = embedQuery([query])
      const dense = searchDense([vector], { depth })
      const fromEntities = pickEntityChunks([selection, vector], { pick })
      const fromRelationships = pickRelationshipChunks([selection, vector, fromEntities], { pick })
      const evidence = citeLight([selection])
      const mixed = mode === 'mix' ? [cutDense([dense], { chunks, above: ABOVE })] : []
      const ranking = rankLight([evidence, ...mixed, fromEntities, fromRelationships], {
        contextTokens,
        depth: Math.min(keep ?? depth, depth),
      })
      const linked = sought.length === 1 ? sought[0] : anyLinked([things, themes])
      return {
        ranking: fallbackUnlinked(linked, ranking, dense, 'no entity and no relationship is linked'),
        evidence,
      }
    },
  }),
})
