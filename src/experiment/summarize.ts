import type { Compare } from '../config/experiment.ts'
import { textUnits } from '../indexes/text-units.ts'
import { meanOf } from '../metrics/evaluate.ts'
import type {
  ComparisonSummary,
  DatasetSummary,
  Estimate,
  IndexSummary,
  Summary,
  TrialSummary,
} from '../results/summary.ts'
import { bootstrapInterval, drawResamples, type Resamples } from '../statistics/bootstrap.ts'
import { compareTrials } from '../statistics/compare.ts'
import type { Json } from '../types.ts'
import { type CompiledTrial, describeChoice } from './compile.ts'
import { chooseFinalists } from './finalists.ts'
import { channelNames } from './funnel.ts'
import type { Merged } from './merge.ts'
import type { OpenExperiment } from './open.ts'
import type { Session } from './session.ts'

/** Failed queries that are told in words, a trial. */
const TOLD_FAILURES = 5

/** Reads the summary off the merged parts. Also returns the places of the trials whose rankings are to be kept. */
export async function summarize(
  session: Session,
  open: OpenExperiment,
  merged: Merged,
): Promise<{ summary: Summary; finalists: number[] }> {
  const { plan, trials, measures, queries } = session
  const { compare, depth, name } = plan.experiment
  const primary = measures.findIndex((measure) => measure.name === compare.by)
  const valuesOf = (trial: number, measure: number) =>
    merged.values[measure].subarray(trial * merged.queries, (trial + 1) * merged.queries)
  const meanTokens = (trial: number) =>
    mean(merged.tokens.subarray(trial * merged.queries, (trial + 1) * merged.queries))
  const candidates = trials.map(({ id, strategy }, trial) => ({
    id,
    strategy,
    quality: meanOf(measures[primary], valuesOf(trial, primary)),
    tokens: meanTokens(trial),
  }))
  const finalists = chooseFinalists(candidates, compare.baseline)
  const intervals = createIntervals(compare)
  const categories = [...new Set(queries.map(({ category }) => category ?? ''))].filter(Boolean).sort()

  function estimates(
    trial: number,
    keep: (query: number) => boolean,
    exact: boolean,
  ): Record<string, Estimate> {
    return Object.fromEntries(
      measures.map((measure, place) => {
        const counted = valuesOf(trial, place).filter((value, query) => !Number.isNaN(value) && keep(query))
        const { low, high } =
          exact && measure.metric.mean === 'arithmetic' ? intervals(counted) : { low: null, high: null }
        return [measure.name, { mean: meanOf(measure, counted), low, high, n: counted.length }]
      }),
    )
  }

  const rows = trials.map((trial, place): TrialSummary => {
    const exact = finalists.includes(place)
    const failures = merged.failures.filter((failure) => failure.trial === place)
    return {
      id: trial.id,
      name: trial.name,
      strategy: trial.strategy,
      params: trial.params,
      varied: trial.varied,
      before: trial.before.map(describeChoice),
      after: trial.after.map(describeChoice),
      variant: trial.recipe,
      measures: estimates(place, () => true, exact),
      categories: Object.fromEntries(
        categories.map((category) => [
          category,
          estimates(place, (query) => queries[query].category === category, exact),
        ]),
      ),
      perQuery: perQuery(merged, place),
      failed: failures.length,
      failures: failures
        .slice(0, TOLD_FAILURES)
        .map(({ query, step, message }) => ({ query: queries[query].id, step, message })),
      ...lostGold(merged, session, place),
      finalist: exact,
    }
  })
  const summary: Summary = {
    format: 1,
    experiment: name,
    dataset: describeDataset(session, open),
    depth,
    measures: measures.map((measure) => measure.name),
    primary: compare.by,
    tuning: { kind: 'none' },
    trials: rows,
    tuned: [],
    comparison: compareWithBaseline(trials, candidates, compare, (trial) => valuesOf(trial, primary)),
    indexes: await describeIndexes(session),
  }
  return { summary, finalists }
}

function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let place = 0; place < values.length; place++) sum += values[place]
  return values.length > 0 ? sum / values.length : 0
}

/** Intervals of means; one set of resamples serves every row of one length. */
function createIntervals({
  level,
  draws,
  seed,
}: Compare): (values: Float64Array) => { low: number; high: number } {
  const byLength = new Map<number, Resamples>()
  return (values) => {
    const resamples = byLength.get(values.length) ?? drawResamples(values.length, draws, seed)
    byLength.set(values.length, resamples)
    return bootstrapInterval(values, resamples, level)
  }
}

function perQuery(merged: Merged, trial: number): Record<string, number> {
  const { queries } = merged
  const of = (column: Int32Array) => mean(column.subarray(trial * queries, (trial + 1) * queries))
  const counters = Object.entries(merged.counters[trial])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, total]) => [name, total / queries])
  return {
    retrieved: of(merged.retrieved),
    tokens: of(merged.tokens),
    evidenceTokens: of(merged.evidenceTokens),
    ...Object.fromEntries(counters),
  }
}

/** Relevant labels of the queries that count, by the stage that lost them, and by the channels that found the rest. */
function lostGold(
  merged: Merged,
  session: Session,
  trial: number,
): Pick<TrialSummary, 'funnel' | 'channels'> {
  const { queries, corpora, trials } = session
  const { stages, recipe } = trials[trial]
  const lost = new Array<number>(stages.length).fill(0)
  const channels: Record<string, number> = {}
  const all = merged.labelOffsets[merged.queries]
  queries.forEach(({ answerable }, query) => {
    const { grades } = corpora[recipe].labels[query]
    for (let label = 0; label < grades.length; label++) {
      if (!answerable || grades[label] < 1) continue
      const row = trial * all + merged.labelOffsets[query] + label
      lost[merged.stages[row]]++
      if (merged.ranks[row] === 0) continue
      const names = channelNames(merged.channels[row])
      channels[names] = (channels[names] ?? 0) + 1
    }
  })
  return {
    funnel: stages.map((stage, place) => ({ stage, lost: lost[place] })),
    channels: Object.fromEntries(Object.entries(channels).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function compareWithBaseline(
  trials: readonly CompiledTrial[],
  candidates: readonly { readonly quality: number }[],
  compare: Compare,
  valuesOf: (trial: number) => Float64Array,
): ComparisonSummary | null {
  const baseline = trials.findIndex(({ id }) => id === compare.baseline)
  const best = new Map<string, number>()
  trials.forEach(({ strategy }, place) => {
    const known = best.get(strategy)
    if (known === undefined || candidates[place].quality > candidates[known].quality)
      best.set(strategy, place)
  })
  const compared =
    compare.family === 'best-per-strategy' ? [...best.values()] : trials.map((_, place) => place)
  const members = [...new Set([baseline, ...compared])].sort((a, b) => a - b)
  const name = (place: number) => trials[place].id
  const family =
    compare.family === 'pairs'
      ? members.flatMap((a, at) => members.slice(at + 1).map((b) => ({ name: name(b), baseline: name(a) })))
      : members
          .filter((place) => place !== baseline)
          .map((place) => ({ name: name(place), baseline: name(baseline) }))
  if (family.length === 0) return null
  const { by, level, correction, draws, seed } = compare
  const comparisons = compareTrials({
    names: members.map(name),
    matrix: members.map(valuesOf),
    family,
    level,
    correction,
    draws,
    seed,
    better: 'higher',
  })
  const named = new Map(trials.map((trial) => [trial.id, trial.name]))
  return {
    measure: by,
    baseline: compare.baseline,
    level,
    correction,
    family: compare.family,
    draws,
    rows: comparisons.map(({ name: id, equivalence: _, n: __, ...rest }) => ({
      id,
      ...rest,
      name: named.get(id) ?? id,
    })),
  }
}

function describeDataset(session: Session, { dataset }: OpenExperiment): DatasetSummary {
  const { queries, corpora } = session
  const { labels } = corpora[0]
  const counted = queries.map((query, place) => query.answerable && labels[place].units.length > 0)
  let [gold, missing, whole, judged] = [0, 0, 0, 0]
  queries.forEach((_, place) => {
    if (!counted[place]) return
    const { grades, units } = labels[place]
    const relevant = [...units].filter((_, label) => grades[label] >= 1)
    const absent = relevant.filter((unit) => unit < 0).length
    judged++
    gold += relevant.length
    missing += absent
    if (absent === 0) whole++
  })
  const names = [...new Set(queries.map(({ category }) => category ?? ''))].filter(Boolean).sort()
  return {
    name: dataset.name,
    documents: dataset.documents.length,
    judgedUnit: dataset.judgedUnit,
    queries: queries.length,
    judged,
    unanswerable: queries.filter(({ answerable }) => !answerable).length,
    categories: names.map((name) => ({
      name,
      queries: queries.filter(({ category }) => category === name).length,
    })),
    gold,
    missing,
    evaluability: judged > 0 ? whole / judged : 0,
    notices: dataset.notices,
  }
}

async function describeIndexes({ plan, trials, store }: Session): Promise<IndexSummary[]> {
  const described: IndexSummary[] = []
  for (const [place, choices] of plan.experiment.recipes.entries()) {
    const recipe = trials.find((trial) => trial.recipe === place)?.ranking.recipe
    if (!recipe) continue
    const chunks = await store.open(textUnits(recipe))
    const prepare = Object.fromEntries(
      Object.entries(choices).map(([key, choice]): [string, Json] => [
        key,
        Array.isArray(choice) ? choice.map(describeChoice) : describeChoice(choice),
      ]),
    )
    const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
    described.push({ name: `variant ${place + 1}`, prepare, counts: { chunks: chunks.length, tokens } })
  }
  return described
}
