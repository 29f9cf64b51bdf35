import { chunkSpans } from '../../corpus/corpus.ts'
import { type EvidenceSizes, reportEvidence } from '../../corpus/evidence.ts'
import { askedLevel, communitiesTable, communityLevel } from '../../corpus/graph/communities/assemble.ts'
import { type Incidence, membersOf } from '../../corpus/graph/csr.ts'
import type { Graph } from '../../corpus/graph/graph.ts'
import { communityReports, type RolledReports, rollReports } from '../../corpus/graph/reports/assemble.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { addToSet } from '../../maps.ts'
import { cutToBudget } from '../../ranking/cut.ts'
import type { Mask } from '../../ranking/mask.ts'
import { head, rankList } from '../../ranking/order.ts'
import { derived } from '../../store/artifact.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { graphInput, textsInput } from './entities.ts'

/**
 * Context of GraphRAG's local search. Each kind stops at the first text that does not fit. microsoft/graphrag v3,
 * query/structured_search/local_search.
 *
 *     sources      half: chunks by (order of their entity, number of that entity's relationships in the chunk)
 *     reports      0.15: by (selected members, rank)
 *     entities and relationships: the rest, entities first
 */
type LocalOptions = {
  readonly contextTokens: number
  readonly sourceShare: number
  readonly reportShare: number
  /** Relationships per selected entity that lead out of the selection. */
  readonly relationshipsPerEntity: number
}

/** Rows, best first. */
export interface LocalContext {
  readonly entities: readonly number[]
  readonly relationships: readonly number[]
  readonly reports: readonly number[]
  readonly sources: readonly number[]
}

/** Relationships of as many selected entities, in order, as fit together with the entities' texts. */
function fitRelationships(
  selected: readonly number[],
  { relationships, relationshipsOfEntity }: Graph,
  sizes: EvidenceSizes,
  perEntity: number,
  budget: number,
): readonly number[] {
  const used = cutToBudget(selected, sizes.entity, budget).tokens
  let included: readonly number[] = []
  for (let count = 1; count <= selected.length; count++) {
    const first = selected.slice(0, count)
    const ordered = orderRelationships(first, relationships, relationshipsOfEntity, perEntity)
    const fitting = cutToBudget(ordered, sizes.relationship, budget)
    if (used + fitting.tokens > budget) break
    included = fitting.rows
  }
  return included
}

/** Reports of the selected entities' communities, by (selected members, rank); ties by first occurrence. */
function rankReports(selected: readonly number[], { reportsOfEntity, ranks }: RolledReports): number[] {
  const matches = new Map<number, number>()
  for (const entity of selected)
    for (const report of membersOf(reportsOfEntity, entity))
      matches.set(report, (matches.get(report) ?? 0) + 1)
  return [...matches.keys()].sort(
    (a, b) => (matches.get(b) ?? 0) - (matches.get(a) ?? 0) || ranks[b] - ranks[a],
  )
}

/**
 * Chunks of the selected entities, each at its first entity; within an entity by the number of its relationships there.
 */
function orderSources(selected: readonly number[], graph: Graph): number[] {
  const ordered = new Set<number>()
  for (const entity of selected) {
    const counts = new Map<number, number>()
    for (const relationship of membersOf(graph.relationshipsOfEntity, entity))
      for (const chunk of membersOf(graph.chunksOfRelationship, relationship))
        counts.set(chunk, (counts.get(chunk) ?? 0) + 1)
    const chunks = Array.from(membersOf(graph.chunksOfEntity, entity)).filter((chunk) => !ordered.has(chunk))
    chunks.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
    for (const chunk of chunks) ordered.add(chunk)
  }
  return [...ordered]
}

/**
 * GraphRAG's order of relationships, all descending; ties: those whose source is selected first. microsoft/graphrag v3,
 * query/context_builder/local_context.py, `_filter_relationships`.
 *
 *     both ends selected, by combined degree; then the first `perEntity` x selected of the others, by
 *     (selected entities that the outside end is linked to, combined degree)
 */
export function orderRelationships(
  selected: readonly number[],
  {
    sources,
    targets,
    combinedDegrees,
  }: Readonly<Record<'sources' | 'targets' | 'combinedDegrees', ArrayLike<number>>>,
  relationshipsOfEntity: Incidence,
  perEntity: number,
): number[] {
  const chosen = new Set(selected)
  const touched = [...new Set(selected.flatMap((entity) => [...membersOf(relationshipsOfEntity, entity)]))]
  touched.sort((a, b) => a - b)
  const inside = touched.filter((row) => chosen.has(sources[row]) && chosen.has(targets[row]))
  const leaving = touched.filter((row) => chosen.has(sources[row]) && !chosen.has(targets[row]))
  const entering = touched.filter((row) => !chosen.has(sources[row]) && chosen.has(targets[row]))
  const links = new Map<number, Set<number>>()
  for (const row of leaving) addToSet(links, targets[row], sources[row])
  for (const row of entering) addToSet(links, sources[row], targets[row])
  const linksOf = (row: number) =>
    links.get(chosen.has(sources[row]) ? targets[row] : sources[row])?.size ?? 0
  // Array sort is stable: ties keep the order of concatenation.
  const byDegree = (a: number, b: number) => combinedDegrees[b] - combinedDegrees[a]
  inside.sort(byDegree)
  const outside = [...leaving, ...entering].sort((a, b) => linksOf(b) - linksOf(a) || byDegree(a, b))
  return [...inside, ...outside.slice(0, perEntity * selected.length)]
}

type Params = LocalOptions & { readonly communityLevel?: number }

export const selectLocal = defineStep({
  name: 'select-local',
  within: true,
  artifacts: (recipe, { communityLevel }: Params) => ({ tables: localTables(recipe, communityLevel) }),
  requires: (recipe, { communityLevel }) => askedLevel(recipe, communityLevel),
  run([entities, mask]: [Ranking, Mask?], { params, artifacts: { tables } }): LocalContext {
    const { graph, reports, sizes, chunkTokens } = tables
    const { contextTokens, sourceShare, reportShare, relationshipsPerEntity } = params
    const selected = [...entities.rows]
    const budget = Math.floor(contextTokens * Math.max(0, 1 - sourceShare - reportShare))
    const sources = orderSources(selected, graph).filter((chunk) => mask?.kept[chunk] !== 0)
    const share = (part: number) => Math.floor(contextTokens * part)
    return {
      entities: cutToBudget(selected, sizes.entity, budget).rows,
      relationships: fitRelationships(selected, graph, sizes, relationshipsPerEntity, budget),
      reports: cutToBudget(rankReports(selected, reports), (row) => reports.tokens[row], share(reportShare))
        .rows,
      sources: cutToBudget(sources, (row) => chunkTokens[row], share(sourceShare)).rows,
    }
  },
})

/** Inputs of GraphRAG's local search, combined once per process. Throws a UserError if `level` does not exist. */
function localTables(recipe: Recipe, level: number | undefined) {
  const reads = {
    ...graphInput(recipe),
    communities: communitiesTable(recipe),
    reports: communityReports(recipe),
    ...textsInput(recipe),
    chunks: chunkSpans(recipe),
  }
  return derived(
    'local_tables',
    reads,
    ({ graph, communities, reports, texts, chunks }) => ({
      graph,
      reports: rollReports(reports, communities, communityLevel(communities, level), graph.entities.size),
      sizes: texts.sizes,
      chunkTokens: chunks.map(({ tokens }) => tokens),
    }),
    { level },
  )
}

/** Chunks in the order of the context's sources, then those behind its relationships, then behind its reports. */
export const rankLocal = defineStep({
  name: 'rank-local',
  within: true,
  channel: 'graph',
  artifacts: (recipe, _: { depth: number }) => ({
    ...graphInput(recipe),
    communities: communitiesTable(recipe),
    reports: communityReports(recipe),
  }),
  run([{ sources, relationships, reports: cited }, mask]: [LocalContext, Mask?], { params, artifacts }) {
    const { graph, communities, reports } = artifacts
    const ordered = new Set(sources)
    for (const row of relationships)
      for (const chunk of membersOf(graph.chunksOfRelationship, row)) ordered.add(chunk)
    for (const report of cited) {
      const { offsets, members, counts } = communities.chunks
      const community = reports.communities[report]
      const entries = Array.from(
        { length: offsets[community + 1] - offsets[community] },
        (_, i) => offsets[community] + i,
      )
      entries.sort((a, b) => counts[b] - counts[a])
      for (const entry of entries) ordered.add(members[entry])
    }
    const allowed = [...ordered].filter((chunk) => mask?.kept[chunk] !== 0)
    return head(rankList(allowed), params.depth)
  },
})

export const citeLocal = defineStep({
  name: 'cite-local',
  artifacts: (recipe) => ({ ...textsInput(recipe), reports: communityReports(recipe) }),
  run([{ entities, relationships, reports: cited }]: [LocalContext], { artifacts: { texts, reports } }) {
    return [
      ...cited.map((row) => reportEvidence(reports, row)),
      ...entities.map(texts.entity),
      ...relationships.map(texts.relationship),
    ]
  },
})
