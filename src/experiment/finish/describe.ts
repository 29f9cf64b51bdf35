import { dirname, isAbsolute, relative, sep } from 'node:path'
import type { Experiment } from '../../config/experiment.ts'
import { contextOf } from '../../corpus/chunks/contexts/index.ts'
import { chunkSpans } from '../../corpus/corpus.ts'
import { communitiesTable } from '../../corpus/graph/communities/assemble.ts'
import { graph as graphOf, statisticsOfGraph } from '../../corpus/graph/extraction.ts'
import { synonymy } from '../../corpus/graph/hippo-graph.ts'
import { communityReports } from '../../corpus/graph/reports/assemble.ts'
import { answersAmong, titleStatistics } from '../../corpus/graph/statistics.ts'
import { titleLinks } from '../../corpus/graph/titles.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { tree } from '../../corpus/summaries/tree.ts'
import { sharedGold } from '../../dataset/clusters.ts'
import { countDrafted } from '../../dataset/notices.ts'
import type { Measure } from '../../metrics/define.ts'
import { dollarsOfUsage, type TokenPrice } from '../../models/completions/cost.ts'
import lsa from '../../models/embedders/lsa.ts'
import type { Price } from '../../models/prices.ts'
import type {
  CallCost,
  DatasetSummary,
  IndexSummary,
  MeasureScale,
  PricingSummary,
  Summary,
} from '../../results/summary.ts'
import { USAGES, usageCounter } from '../../retrieve/steps/asking.ts'
import { countTokens } from '../../text/tokens.ts'
import type { Json, Query } from '../../types.ts'
import { allArtifactsOf, type CompiledTrial, describeChoice, plainName, withSeeds } from '../plan/compile.ts'
import type { OpenExperiment } from '../plan/open.ts'
import type { Session } from '../shard/session.ts'

export function describeDataset(session: Session, { dataset }: OpenExperiment): DatasetSummary {
  const { queries, corpora } = session
  const shared = sharedGold(dataset)
  const { synthetic, reviewed } = countDrafted(dataset.queries)
  let [gold, missing, whole, judged] = [0, 0, 0, 0]
  queries.forEach(({ answerable }, query) => {
    if (!answerable || corpora[0].labels[query].units.length === 0) return
    const { grades, units, groups } = corpora[0].labels[query]
    const relevant = [...grades.keys()].filter((label) => grades[label] >= 1)
    const present = relevant.filter((label) => units[label] >= 0)
    judged++
    gold += relevant.length
    missing += relevant.length - present.length
    const countGroups = (labels: readonly number[]) =>
      new Set(labels.map((label) => groups?.[label] ?? label)).size
    if (countGroups(present) === countGroups(relevant)) whole++
  })
  return {
    name: dataset.name,
    documents: dataset.documents,
    judgedUnit: dataset.judgedUnit,
    queries: queries.length,
    judged,
    unanswerable: queries.filter(({ answerable }) => !answerable).length,
    categories: categoriesOf(session).map((name) => ({
      name,
      queries: queries.filter(({ category }) => category === name).length,
    })),
    gold,
    missing,
    evaluability: judged > 0 ? whole / judged : 0,
    ...(dataset.sample && { sample: dataset.sample }),
    ...(synthetic > 0 && { synthetic }),
    ...(reviewed > 0 && { reviewed }),
    ...(shared && { shared }),
    ...(dataset.searched !== undefined && { searched: dataset.searched }),
  }
}

export function categoriesOf({ queries }: Session): string[] {
  return [...new Set(queries.flatMap(({ category }) => (category ? [category] : [])))].sort()
}

export function scalesOf({ metrics }: Experiment, measures: readonly Measure[]): Pick<Summary, 'scales'> {
  const metricNames = new Set(metrics.map(({ name }) => name))
  const scales = measures
    .filter(({ metric }) => metricNames.has(metric.name))
    .map(({ name, metric: { bounded, better } }): [string, MeasureScale] => [name, { bounded, better }])
  return scales.length > 0 ? { scales: Object.fromEntries(scales) } : {}
}

const INSTRUCTION =
  'Answer the question from the passages below alone, in one or two sentences. Name the passages that you used. Say so where they do not hold the answer.\n\nQuestion: '

export function describePricing(price: Price | null, queries: readonly Query[]): PricingSummary | null {
  if (!price || queries.length === 0) return null
  const instruction = countTokens(INSTRUCTION)
  const questions = queries.reduce((sum, { text }) => sum + countTokens(text), 0)
  return { ...price, promptTokens: instruction + questions / queries.length }
}

/** Mean cost per query of calls to models with a known price. */
export function callCost(
  perQuery: Readonly<Record<string, number>>,
  prices: Readonly<Record<string, TokenPrice>>,
): CallCost {
  const cost = { inputTokens: 0, outputTokens: 0, dollars: 0 }
  for (const [model, price] of Object.entries(prices)) {
    const [input, cachedInput, output, searches] = USAGES.map(
      (kind) => perQuery[usageCounter(kind, model)] ?? 0,
    )
    cost.inputTokens += input
    cost.outputTokens += output
    cost.dollars += dollarsOfUsage({ input, cachedInput, output, searches }, price)
  }
  return cost
}

/** Plain names of trials that read vectors, if all vectors are of `lsa`. */
export function describeStandIn(trials: readonly CompiledTrial[]): Pick<Summary, 'standIn'> {
  const read = trials.map((trial) => ({
    name: plainName(trial),
    embedders: allArtifactsOf([trial]).flatMap(({ name, inputs }) =>
      name === 'vectors' || name === 'token_embedder' ? [inputs.base.name] : [],
    ),
  }))
  const dense = read.filter(({ embedders }) => embedders.length > 0)
  if (dense.length === 0 || dense.some(({ embedders }) => embedders.some((name) => name !== lsa.name)))
    return {}
  return { standIn: [...new Set(dense.map(({ name }) => name))] }
}

/** Counts of each prepared variant's artifacts that trials read. */
export async function describeIndexes(session: Session): Promise<IndexSummary[]> {
  const { plan, trials, store } = session
  const described: IndexSummary[] = []
  for (const [index, choices] of plan.experiment.recipes.entries()) {
    const recipeTrials = withSeeds(trials).filter((trial) => trial.recipe === index)
    if (recipeTrials.length === 0) continue
    const { recipe } = recipeTrials[0].ranking
    const chunks = await store.open(chunkSpans(recipe))
    const prepare = Object.fromEntries(
      Object.entries(choices).map(([key, choice]): [string, Json] => [
        key,
        'name' in choice ? describeChoice(choice) : choice.map(describeChoice),
      ]),
    )
    const read = new Set(allArtifactsOf(recipeTrials).map(({ name }) => name))
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
  for (const [extractor, findings] of Object.entries(extractors))
    Object.assign(counts, positive(extractor, findings))
  return counts
}

function positive(source: string, counts: Readonly<Record<string, number>>): Record<string, number> {
  const reported = Object.entries(counts).filter(([, count]) => count > 0)
  return Object.fromEntries(reported.map(([name, count]) => [`${source}: ${name}`, count]))
}

/** Paths relative to the config, so that results do not depend on its location. */
export function portable<T>(value: T, config: string): T {
  const shorten = (_: string, item: Json) =>
    typeof item === 'string' && isAbsolute(item) ? relative(dirname(config), item).split(sep).join('/') : item
  return JSON.parse(JSON.stringify(value), shorten)
}

export function portableTrial(trial: CompiledTrial, config: string): CompiledTrial {
  const { strategy, params, varied, before, after } = trial
  return { ...trial, ...portable({ strategy, params, varied, before, after } as object, config) }
}
