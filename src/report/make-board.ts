import type { Latency, TrialLatency } from '../results/latency.ts'
import type {
  Estimate,
  PricingSummary,
  Result,
  Summary,
  TrialSummary,
  TunedSummary,
} from '../results/summary.ts'
import type { Board, BoardRow } from './board.ts'
import { withColumns } from './columns.ts'
import { isCount } from './measured.ts'
import { queriesOf } from './notes.ts'
import type { Rival } from './outcome.ts'
import { bestFirst, placeOf, strategiesOf, trialIndex } from './representatives.ts'

export function boardOf(summary: Result, latency: Latency | null = null): Board {
  const { comparison, datasets, trials, tuned, primary, health } = summary
  const isMacro = datasets.length > 1
  const baseline = comparison?.baseline
  // In the family `pairs`, a row shows only its comparison with the baseline.
  const compared = new Map(
    comparison?.rows.filter((row) => row.baseline === baseline).map((row) => [row.id, row]),
  )
  const untested = (row: OwnFields): string => {
    if (row.failed !== null && row.failed === queriesOf(datasets)) return 'failed'
    if (!comparison || compared.has(row.id) || row.id === baseline) return ''
    if (!row.measures[primary]) return 'not scored'
    if (comparison.untested?.includes(row.name)) return 'fitted router'
    if (tuned.length > 0 && row.kind === 'trial') return 'tuned rows only'
    if (comparison.family === 'best-per-strategy') return `not the best ${row.strategy}`
    return 'not tested'
  }
  const best = (rows: readonly OwnFields[]) =>
    [...rows].sort(bestFirst(summary)).map((row): BoardRow => {
      const groups = Object.entries(row.groups).map(([group, estimates]) => [
        group,
        isMacro ? estimates : { [primary]: estimates[primary] },
      ])
      return {
        ...row,
        groups: Object.fromEntries(groups),
        compared: compared.get(row.id) ?? null,
        baseline: row.id === baseline,
        untested: untested(row),
      }
    })
  const times = new Map(latency?.trials.map((row) => [row.id, row]))
  const params = gridParams(trials)
  const unjudged = new Map(health.trials.map((trial) => [trial.id, trial.unjudged]))
  const judgedIn = (id: string) => {
    const share = unjudged.get(id)?.share
    return share === undefined ? null : 1 - share
  }
  const ofTrials = best(
    trials.map((trial, place) => ({
      ...rowOfTrial(trial, summary.pricing ?? null, times.get(trial.id) ?? null),
      // A page over several datasets has no queries.
      trial: isMacro ? -1 : place,
      params: params[place],
      judged: judgedIn(trial.id),
    })),
  )
  const ofTuned = best(tuned.map((row) => rowOfTuned(row, summary, times)))
  const [judging] = [...unjudged.values()].filter((share) => share !== null)
  const { experiment, measures, scales, tuning, standIn, level, context } = summary
  return withColumns({
    experiment,
    primary,
    measures,
    ...(scales && { scales }),
    counts: measures.filter((measure) => isCount(summary, measure)),
    tuning,
    comparison,
    ...(standIn && { standIn }),
    level,
    datasets,
    context,
    isMacro,
    isTuned: tuned.length > 0,
    strategies: strategiesOf([...trials, ...tuned]),
    missing: (isMacro ? datasets : []).flatMap(({ name: dataset }) =>
      [...ofTuned, ...ofTrials]
        .filter(({ groups }) => !groups[dataset])
        .map(({ name }) => `${name} on ${dataset}`),
    ),
    judgedAt: judging?.k ?? null,
    ranked: tuned.length > 0 ? ofTuned : ofTrials,
    seen: tuned.length > 0 ? ofTrials : [],
    ...answersOf(summary, ofTrials),
  })
}

/** Each row is compared with the same answerer over the baseline trial. */
function answersOf(
  { answers }: Pick<Summary, 'answers'>,
  trials: readonly BoardRow[],
): Pick<Board, 'answered' | 'answerMeasures'> {
  if (!answers) return { answered: [], answerMeasures: [] }
  const { primary, measures, rows } = answers
  const comparisons = Object.values(answers.comparisons).flatMap((comparison) => comparison ?? [])
  const compared = new Map(comparisons.flatMap((comparison) => comparison.rows.map((row) => [row.id, row])))
  const answered = rows.map((row): BoardRow => {
    const trial = trials.find(({ id }) => id === row.trial?.id)
    const counted = Object.entries(row.measures).filter(([, { n }]) => n > 0)
    return {
      ...(trial ?? NOTHING),
      kind: 'answer',
      id: row.id,
      name: trial ? `${trial.name} + ${row.answerer}` : row.answerer,
      measures: { ...trial?.measures, ...Object.fromEntries(counted) },
      perQuery: { ...row.perQuery, ...(row.seconds !== undefined && { seconds: row.seconds }) },
      tokens: row.perQuery.sent,
      dollars: typeof row.dollars === 'number' ? 1000 * row.dollars : null,
      latency: null,
      failed: row.failed,
      failures: [],
      compared: compared.get(row.id) ?? null,
      baseline: comparisons.some(({ baseline }) => baseline === row.id),
      untested: 'not tested',
    }
  })
  const quality = ({ measures }: BoardRow) => measures[primary]?.mean ?? Number.NEGATIVE_INFINITY
  return {
    answered: answered.sort((a, b) => quality(b) - quality(a)),
    answerMeasures: [primary, ...measures.map(({ name }) => name).filter((name) => name !== primary)],
  }
}

const NOTHING = {
  trial: -1,
  strategy: '',
  varied: {},
  params: {},
  groups: {},
  perQuery: {},
  seeds: null,
  failed: null,
  latency: null,
  optimism: null,
  judged: null,
  stages: [],
  failures: [],
} as const

type OwnFields = Omit<BoardRow, 'compared' | 'baseline' | 'untested'>

function rowOfTrial(
  trial: TrialSummary,
  pricing: PricingSummary | null,
  latency: TrialLatency | null,
): OwnFields {
  const { id, name, strategy, varied, measures, categories, perQuery, failed, funnel, failures } = trial
  return {
    ...NOTHING,
    kind: 'trial',
    id,
    name,
    strategy,
    varied,
    measures,
    groups: categories,
    perQuery,
    failed,
    latency,
    tokens: tokensOf(trial),
    dollars: pricing && trialDollars(trial, pricing),
    seeds: trial.seeds ?? null,
    stages: funnel.map(({ stage }) => stage),
    failures,
  }
}

function rowOfTuned(
  tuned: TunedSummary,
  summary: Result,
  times: ReadonlyMap<string, TrialLatency>,
): OwnFields {
  const { id, strategy, name, measures, categories, optimism } = tuned
  const { trials, datasets } = summary
  const pricing = summary.pricing ?? null
  const chosen = tuned.chosen.flatMap((id) => trials[trialIndex(summary, id)] ?? [])
  const place = placeOf(summary, id)
  return {
    ...NOTHING,
    kind: 'tuned',
    id,
    trial: datasets.length > 1 ? -1 : place,
    name,
    strategy,
    measures,
    groups: categories,
    latency: times.get(trials[place]?.id) ?? null,
    tokens: meanOf(chosen.map(tokensOf)),
    dollars: pricing && meanOf(chosen.map((trial) => trialDollars(trial, pricing))),
    optimism,
  }
}

/** Mean; null without values, or if one is null. */
function meanOf(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null)
  if (numbers.length === 0 || numbers.length < values.length) return null
  return numbers.reduce((sum, value) => sum + value / numbers.length, 0)
}

/** Params that vary among a strategy's trials, with defaults. */
function gridParams(trials: readonly TrialSummary[]): TrialSummary['params'][] {
  const names = new Map<string, Set<string>>()
  for (const { strategy, varied } of trials) {
    const all = names.get(strategy) ?? new Set()
    for (const name of Object.keys(varied)) all.add(name)
    names.set(strategy, all)
  }
  return trials.map(({ strategy, params, varied }) => {
    const all = [...(names.get(strategy) ?? [])].map((name) => [name, varied[name] ?? params[name]] as const)
    return Object.fromEntries(all.filter(([, value]) => value !== undefined))
  })
}

/** Mean tokens per query of sent chunks and evidence; null if not counted. */
export function tokensOf({ perQuery }: TrialSummary): number | null {
  return perQuery.tokens === undefined ? null : perQuery.tokens + (perQuery.evidenceTokens ?? 0)
}

/** Dollars per 1,000 queries. Calls to models of known price use that price, all else the config's. */
export function trialDollars(trial: TrialSummary, pricing: PricingSummary): number {
  const { inputTokens = 0, outputTokens = 0 } = trial.perQuery
  const input = (tokensOf(trial) ?? 0) + pricing.promptTokens + inputTokens
  const { calls = { inputTokens: 0, outputTokens: 0, dollars: 0 } } = trial
  const others =
    (input - calls.inputTokens) * pricing.input + (outputTokens - calls.outputTokens) * pricing.output
  return 1000 * (others / 1e6 + calls.dollars)
}

/** Scored rows with their estimates of the primary measure. */
export function rivals({ ranked, primary }: Board): (Rival & { row: BoardRow })[] {
  return ranked.flatMap((row) =>
    row.measures[primary]
      ? [{ row, name: row.name, whole: row.measures[primary], groups: groupsOf(row, primary) }]
      : [],
  )
}

function groupsOf({ groups }: BoardRow, primary: string): Record<string, Estimate | undefined> {
  return Object.fromEntries(Object.entries(groups).map(([name, estimates]) => [name, estimates[primary]]))
}

export function isScored(board: Board): boolean {
  return rivals(board).length > 0 && !allFailed(board)
}

export function allFailed({ ranked, seen, datasets, isTuned }: Board): boolean {
  const trials = isTuned ? seen : ranked
  return (
    trials.length > 0 &&
    trials.every(({ failed }) => failed !== null && failed > 0 && failed === queriesOf(datasets))
  )
}

export function headlineRows(ranked: readonly BoardRow[]): BoardRow[] {
  return ranked.filter((row, rank) => rank === 0 || row.baseline)
}
