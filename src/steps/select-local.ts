import { membersOf } from '../graph/incidence.ts'
import { type LocalContext, type LocalOptions, localContext } from '../graph/local-context.ts'
import { communitiesTable } from '../indexes/communities.ts'
import { askedLevel } from '../indexes/community-level.ts'
import { evidenceTexts, reportEvidence } from '../indexes/evidence.ts'
import { graph } from '../indexes/graph.ts'
import { localTables } from '../indexes/local-tables.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { communityReports } from '../indexes/reports.ts'
import { head } from '../ranking/order.ts'
import { rankList } from '../ranking/rank-list.ts'
import type { Evidence, Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = LocalOptions & { readonly communityLevel?: number }

/** GraphRAG Local: what goes into the context of the linked entities. */
export const selectLocal = defineStep<Params, [Ranking], ReturnType<typeof tables>, LocalContext>({
  name: 'select-local',
  version: 1,
  artifacts: tables,
  requires: (recipe, { communityLevel }) => askedLevel(recipe, communityLevel),
  run([entities], { params, artifacts }) {
    return localContext([...entities.rows], artifacts.tables, params)
  },
})

/** GraphRAG Local: chunks in the order of the context's sources, then those behind its relationships, then behind its reports. */
export const rankLocal = defineStep<{ depth: number }, [LocalContext], ReturnType<typeof chunks>, Ranking>({
  name: 'rank-local',
  version: 1,
  channel: 'graph',
  yields: 'ranking',
  artifacts: chunks,
  run([{ sources, relationships, reports: cited }], { params: { depth }, artifacts }) {
    const { graph, communities, reports } = artifacts
    const ordered = new Set(sources)
    for (const row of relationships)
      for (const chunk of membersOf(graph.chunksOfRelationship, row)) ordered.add(chunk)
    for (const report of cited) {
      const { offsets, members, counts } = communities.chunks
      const community = reports.communities[report]
      const places = Array.from(
        { length: offsets[community + 1] - offsets[community] },
        (_, i) => offsets[community] + i,
      )
      places.sort((a, b) => counts[b] - counts[a])
      for (const place of places) ordered.add(members[place])
    }
    return head(rankList([...ordered]), depth)
  },
})

/** The entities, relationships and reports of a local context as evidence. */
export const citeLocal = defineStep<null, [LocalContext], ReturnType<typeof texts>, readonly Evidence[]>({
  name: 'cite-local',
  version: 1,
  artifacts: texts,
  run([{ entities, relationships, reports: cited }], { artifacts: { texts, reports } }) {
    return [
      ...cited.map((row) => reportEvidence(reports, row)),
      ...entities.map(texts.entity),
      ...relationships.map(texts.relationship),
    ]
  },
})

function tables(recipe: Recipe, { communityLevel }: Params) {
  return { tables: localTables(recipe, communityLevel) }
}

function chunks(recipe: Recipe) {
  return { graph: graph(recipe), communities: communitiesTable(recipe), reports: communityReports(recipe) }
}

function texts(recipe: Recipe) {
  return { texts: evidenceTexts(recipe), reports: communityReports(recipe) }
}
