import { contextOf } from '../../corpus/chunks/contexts/index.ts'
import { chunkSpans } from '../../corpus/corpus.ts'
import { graph as graphOf, statisticsOfGraph } from '../../corpus/graph/artifacts.ts'
import { communitiesTable } from '../../corpus/graph/communities/assemble.ts'
import { synonymy } from '../../corpus/graph/hippo-graph.ts'
import { communityReports } from '../../corpus/graph/reports/assemble.ts'
import { answersAmong, titleStatistics } from '../../corpus/graph/statistics.ts'
import { titleLinks } from '../../corpus/graph/title-links.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { tree } from '../../corpus/summaries/tree.ts'
import type { IndexSummary } from '../../results/summary.ts'
import { artifactsBelow } from '../../store/artifact.ts'
import type { Json } from '../../types.ts'
import { artifactsOf, describeChoice, withSeeds } from '../plan/compile.ts'
import type { Session } from '../shard/session.ts'

/** Counts of each prepared variant's artifacts that trials read. */
export async function describeIndexes(session: Session): Promise<IndexSummary[]> {
  const { plan, trials, store } = session
  const described: IndexSummary[] = []
  for (const [index, choices] of plan.experiment.recipes.entries()) {
    const own = withSeeds(trials).filter((trial) => trial.recipe === index)
    if (own.length === 0) continue
    const { recipe } = own[0].ranking
    const chunks = await store.open(chunkSpans(recipe))
    const prepare = Object.fromEntries(
      Object.entries(choices).map(([key, choice]): [string, Json] => [
        key,
        'name' in choice ? describeChoice(choice) : choice.map(describeChoice),
      ]),
    )
    const read = new Set(artifactsBelow(artifactsOf(own)).map(({ name }) => name))
    const counts = {
      chunks: chunks.length,
      tokens: chunks.reduce((sum, chunk) => sum + chunk.tokens, 0),
      ...(read.has('chunk_headers') ? await countHeaders(store, recipe) : {}),
      ...(read.has('tree') ? await countTree(store, recipe) : {}),
      ...(read.has('graph') ? await describeGraph(session, recipe, read) : {}),
      ...(read.has('title_links') ? titleStatistics((await store.open(titleLinks(recipe))).csr) : {}),
    }
    described.push({ name: `variant ${index + 1}`, prepare, counts })
  }
  return described
}

async function countHeaders(store: Session['store'], recipe: Recipe): Promise<Record<string, number>> {
  const { definition, params } = contextOf(recipe)
  const headers = definition.make(params).sentences?.(recipe)
  if (!headers) return {}
  const { items, unread } = await store.open(headers)
  return { chunkHeaders: items - unread, ...(unread > 0 && { unreadHeaders: unread }) }
}

async function countTree(store: Session['store'], recipe: Recipe): Promise<Record<string, number>> {
  const { summaries } = await store.open(tree(recipe))
  return { treeSummaries: summaries.length, treeLayers: summaries.at(-1)?.layer ?? 0 }
}

async function describeGraph(
  { store, queries }: Session,
  recipe: Recipe,
  read: ReadonlySet<string>,
): Promise<Record<string, number>> {
  const { extractors, chunks: _, ...graph } = await store.open(statisticsOfGraph(recipe))
  const counts: Record<string, number> = { ...graph }
  if (read.has('synonyms')) counts.synonymyEdges = (await store.open(synonymy(recipe))).sources.length
  if (read.has('communities')) {
    const { size, depth, notices } = await store.open(communitiesTable(recipe))
    Object.assign(counts, { communities: size, communityLevels: depth }, positive('communities', notices))
  }
  if (read.has('community_reports')) {
    const { size, notices } = await store.open(communityReports(recipe))
    Object.assign(counts, { communityReports: size }, positive('reports', notices))
  }
  const { entities } = await store.open(graphOf(recipe))
  const { asked, present } = answersAmong(
    entities.keys,
    queries.map(({ answers }) => answers),
  )
  if (asked > 0) Object.assign(counts, { queriesWithAnswers: asked, queriesWithAnswerEntity: present })
  for (const [extractor, found] of Object.entries(extractors))
    Object.assign(counts, positive(extractor, found))
  return counts
}

function positive(source: string, counts: Readonly<Record<string, number>>): Record<string, number> {
  const found = Object.entries(counts).filter(([, count]) => count > 0)
  return Object.fromEntries(found.map(([name, count]) => [`${source}: ${name}`, count]))
}
