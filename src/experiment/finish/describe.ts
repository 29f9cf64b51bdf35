import type { Experiment } from '../../config/experiment.ts'
import { sharedGold } from '../../dataset/clusters.ts'
import { countDrafted } from '../../dataset/synthetic.ts'
import type { Measure } from '../../metrics/define.ts'
import { dollarsOfUsage, type TokenPrice } from '../../models/completions/cost.ts'
import lsa from '../../models/embedders/lsa.ts'
import type { Price } from '../../models/prices.ts'
import type { CallCost, PricingSummary } from '../../results/pricing.ts'
import type { DatasetSummary, MeasureScale, Summary } from '../../results/summary.ts'
import { USAGES, usageCounter } from '../../retrieve/steps/asking.ts'
import { artifactsBelow } from '../../store/artifact.ts'
import { countTokens } from '../../text/tokens.ts'
import type { Query } from '../../types.ts'
import { artifactsOf, type CompiledTrial, plainName } from '../plan/compile.ts'
import type { OpenExperiment } from '../plan/open.ts'
import type { Session } from '../shard/session.ts'

/** True if a query counts in means: answerable, with gold. */
function countsIn({ queries, corpora }: Session, query: number): boolean {
  return queries[query].answerable && corpora[0].labels[query].units.length > 0
}

export function describeDataset(session: Session, { dataset }: OpenExperiment): DatasetSummary {
  const { queries, corpora } = session
  const shared = sharedGold(dataset)
  const { synthetic, reviewed } = countDrafted(dataset.queries)
  let [gold, missing, whole, judged] = [0, 0, 0, 0]
  queries.forEach((_, query) => {
    if (!countsIn(session, query)) return
    const { grades, units, groups } = corpora[0].labels[query]
    const relevant = [...grades.keys()].filter((label) => grades[label] >= 1)
    const present = relevant.filter((label) => units[label] >= 0)
    judged++
    gold += relevant.length
    missing += relevant.length - present.length
    // One of several alternatives is enough.
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

/** In byte order. */
export function categoriesOf({ queries }: Session): string[] {
  return [...new Set(queries.flatMap(({ category }) => (category ? [category] : [])))].sort()
}

export function scalesOf({ metrics }: Experiment, measures: readonly Measure[]): Pick<Summary, 'scales'> {
  const own = new Set(metrics.map(({ name }) => name))
  const scales = measures
    .filter(({ metric }) => own.has(metric.name))
    .map(({ name, metric: { bounded, better } }): [string, MeasureScale] => [name, { bounded, better }])
  return scales.length > 0 ? { scales: Object.fromEntries(scales) } : {}
}

/** Counts in the tokens of a priced answer. */
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
    embedders: artifactsBelow(artifactsOf([trial])).flatMap(({ name, inputs }) =>
      name === 'vectors' || name === 'token_embedder' ? [inputs.base.name] : [],
    ),
  }))
  const dense = read.filter(({ embedders }) => embedders.length > 0)
  if (dense.length === 0 || dense.some(({ embedders }) => embedders.some((name) => name !== lsa.name)))
    return {}
  return { standIn: [...new Set(dense.map(({ name }) => name))] }
}
