import type { Summary, TrialSummary } from '../results/summary.ts'
import type { Board, BoardRow, Value } from './board.ts'
import { marksOf } from './charts/strategy-marks.ts'
import { isIn, type NumberColumn, numberColumns } from './leaderboard-columns.ts'
import { type Leaderboard, type LeaderboardRow, placeOf } from './leaderboard-rows.ts'
import { points, probability } from './numbers.ts'
import { limitsInWords, verdictMark, verdictWord } from './outcome.ts'

/** Most categories with a column. */
const MAX_CATEGORIES = 24

/** A leaderboard as data for tables and scripts. */
export function boardOf(board: Leaderboard): Board {
  const { primary, measures, ranked, seen, summary, isMacro, strategies } = board
  const rows = [...ranked, ...seen]
  const numbers = numberColumns(board)
  const [p50, ...times] = numbers.times
  const others = measures.filter((measure) => measure !== primary)
  const mrr = others.find((measure) => measure.startsWith('mrr'))
  const quality = numbers.measure(primary)
  const costs = [
    numbers.tokens,
    numbers.evidence,
    numbers.input,
    numbers.output,
    numbers.modelCalls,
    numbers.dollars,
    p50,
    ...times,
    numbers.cold,
    numbers.engine,
  ]
  const money = [numbers.dollars, numbers.tokens].find(isIn(rows))
  const shown = new Set([...numbers.datasets.map(({ head }) => head), mrr, p50.head, money?.head, 'failed'])
  const columns: NumberColumn[] = [
    { ...quality, head: isMacro ? 'macro mean' : primary },
    ...[
      ...numbers.datasets,
      ...others.map(numbers.measure),
      p50,
      ...costs.filter((column) => column !== p50),
      numbers.failed,
      numbers.optimism,
      numbers.seeds,
      numbers.fallbacks,
      ...judgedColumns(board.summary),
      ...numbers.categories.slice(0, MAX_CATEGORIES),
    ].filter(isIn(rows)),
  ]
  const trials = new Map(summary.trials.map((trial, index) => [trial.id, index]))
  const varied = variedOf(summary.trials)
  const rowOf = (row: LeaderboardRow): BoardRow => {
    const index = row.kind === 'trial' ? trials.get(row.id) : undefined
    const trial = index === undefined ? undefined : summary.trials[index]
    return {
      id: row.id,
      // A page over several datasets has no queries.
      trial: isMacro ? -1 : (index ?? placeOf(summary, row.id)),
      name: row.name,
      strategy: strategies.indexOf(row.strategy),
      baseline: row.baseline,
      values: columns.map((column) => valueAt(column, row)),
      difference: differenceOf(row),
      untested: row.baseline ? 'baseline' : row.untested,
      searchOnly: row.latency?.searchOnly === true,
      varied: index === undefined ? {} : varied[index],
      stages: trial?.funnel.map(({ stage }) => stage) ?? [],
      failures: trial?.failures ?? [],
    }
  }
  return {
    strategies: marked(strategies),
    isTuned: ranked[0]?.kind === 'tuned',
    columns: columns.map(({ head, title, format }, at) => ({
      head,
      title: title ?? '',
      format,
      shown: at > 0 && shown.has(head),
      cost: costs.some((column) => column.head === head),
    })),
    ranked: ranked.map(rowOf),
    seen: seen.map(rowOf),
  }
}

/** Strategies with their marks. */
export function marked(strategies: readonly string[]): Board['strategies'] {
  const marks = marksOf(strategies)
  return strategies.map((name) => ({
    name,
    hue: marks.get(name)?.hue ?? 1,
    shape: marks.get(name)?.shape.path ?? '',
  }))
}

/** Share of judged results, unless a measure already reports it. */
function judgedColumns({ health, measures }: Summary): NumberColumn[] {
  const unjudged = new Map(health.trials.map((trial) => [trial.id, trial.unjudged]))
  const k = [...unjudged.values()].find((share) => share)?.k
  if (k === undefined || measures.includes(`judged@${k}`)) return []
  return [
    {
      head: `judged@${k}`,
      title: 'percent of the first results that have a label; results without a label count as not relevant',
      format: 'percent',
      text: () => '',
      value: ({ id }) => {
        const share = unjudged.get(id)?.share
        return share === undefined ? null : 1 - share
      },
    },
  ]
}

function valueAt({ value, ends }: NumberColumn, row: LeaderboardRow): Value {
  const number = value(row)
  const { low = null, high = null } = ends?.(row) ?? {}
  if (number === null) return null
  return low === null || high === null ? rounded(number) : [rounded(number), rounded(low), rounded(high)]
}

/** Seven digits, which sort as the exact value does in all that is shown. */
function rounded(value: number): number {
  return Number(value.toPrecision(7))
}

function differenceOf({ compared }: LeaderboardRow): BoardRow['difference'] {
  if (!compared) return null
  const { difference, adjusted, verdict } = compared
  return {
    value: difference,
    text: `${verdictMark(compared)} ${points(difference)}`,
    verdict: verdict.replace(' ', '-'),
    title: `${verdictWord(compared)}: ${limitsInWords(compared)}, adjusted p ${probability(adjusted)}`,
  }
}

/** Params that vary among the trials of a strategy, with defaults filled in. */
function variedOf(trials: readonly TrialSummary[]): TrialSummary['varied'][] {
  const names = new Map<string, Set<string>>()
  for (const { strategy, varied } of trials) {
    const own = names.get(strategy) ?? new Set()
    for (const name of Object.keys(varied)) own.add(name)
    names.set(strategy, own)
  }
  return trials.map(({ strategy, params, varied }) => {
    const all = [...(names.get(strategy) ?? [])].map((name) => [name, varied[name] ?? params[name]] as const)
    return Object.fromEntries(all.filter(([, value]) => value !== undefined))
  })
}
