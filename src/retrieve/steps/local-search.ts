import { chunkSpans } from '../../corpus/corpus.ts'
import { reportEvidence } from '../../corpus/evidence.ts'
import { askedLevel, communitiesTable, communityLevel } from '../../corpus/graph/communities/assemble.ts'
import { membersOf } from '../../corpus/graph/csr.ts'
import { communityReports, rollReports } from '../../corpus/graph/reports/assemble.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import type { Mask } from '../../ranking/mask.ts'
import { head } from '../../ranking/order.ts'
import { rankList } from '../../ranking/rank-list.ts'
import { derived } from '../../store/artifact.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { graphInput, textsInput } from './entities.ts'
import { type LocalContext, type LocalOptions, localContext } from './local-context.ts'

type Params = LocalOptions & { readonly communityLevel?: number }

/** Context of the linked entities, cut to its token budgets. */
export const selectLocal = defineStep({
  name: 'select-local',
  version: 1,
  within: true,
  artifacts: (recipe, { communityLevel }: Params) => ({ tables: localTables(recipe, communityLevel) }),
  requires: (recipe, { communityLevel }) => askedLevel(recipe, communityLevel),
  run([entities, mask]: readonly [Ranking, Mask?], { params, artifacts }) {
    return localContext([...entities.rows], artifacts.tables, params, mask)
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
  version: 1,
  within: true,
  channel: 'graph',
  yields: 'ranking',
  artifacts: (recipe, _params: { depth: number }) => ({
    ...graphInput(recipe),
    communities: communitiesTable(recipe),
    reports: communityReports(recipe),
  }),
  run(
    [{ sources, relationships, reports: cited }, mask]: readonly [LocalContext, Mask?],
    { params, artifacts },
  ) {
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
    const kept = [...ordered].filter((chunk) => mask?.kept[chunk] !== 0)
    return head(rankList(kept), params.depth)
  },
})

/** The entities, relationships and reports of a local context as evidence. */
export const citeLocal = defineStep({
  name: 'cite-local',
  version: 1,
  artifacts: (recipe, _params: null) => ({ ...textsInput(recipe), reports: communityReports(recipe) }),
  run(
    [{ entities, relationships, reports: cited }]: readonly [LocalContext],
    { artifacts: { texts, reports } },
  ) {
    return [
      ...cited.map((row) => reportEvidence(reports, row)),
      ...entities.map(texts.entity),
      ...relationships.map(texts.relationship),
    ]
  },
})
