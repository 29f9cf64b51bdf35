import type { Latency, TrialLatency } from '../results/latency.ts'
import type { ComparedRow, Estimate, Summary, TrialSummary } from '../results/summary.ts'

/** One row of the leaderboard: a trial, or a strategy tuned on other queries than it is scored on. */
export interface Standing {
  readonly kind: 'trial' | 'tuned'
  /** As the comparison names it: a trial's id, or `tuned:<strategy>`. */
  readonly id: string
  readonly name: string
  readonly strategy: string
  readonly measures: Readonly<Record<string, Estimate>>
  /** Mean tokens of a query's chunks and evidence; null for a tuned row, which mixes trials. */
  readonly tokens: number | null
  readonly modelCalls: number | null
  readonly fallbacks: number | null
  readonly failed: number | null
  readonly latency: TrialLatency | null
  readonly compared: ComparedRow | null
  readonly baseline: boolean
  /** Best trial on its own tuning queries minus this row's mean. */
  readonly optimism: number | null
}

export interface Standings {
  /** Ranked by the primary measure, best first: the tuned rows where there are any, else the trials. */
  readonly ranked: readonly Standing[]
  /** With tuned rows: the trials, best first, whose means were seen in tuning. Else empty. */
  readonly seen: readonly Standing[]
}

export function standingsOf(summary: Summary, latency: Latency | null): Standings {
  // In the family `pairs` a trial stands in many rows; beside its name only the one to the baseline makes sense.
  const rows = summary.comparison?.rows.filter((row) => row.baseline === summary.comparison?.baseline) ?? []
  const compared = new Map(rows.map((row) => [row.id, row]))
  const times = new Map(latency?.trials.map((row) => [row.id, row]))
  const baseline = summary.comparison?.baseline
  const trials = summary.trials.map((trial): Standing => {
    const { perQuery } = trial
    return {
      kind: 'trial',
      id: trial.id,
      name: trial.name,
      strategy: trial.strategy,
      measures: trial.measures,
      tokens: tokensOf(trial),
      modelCalls: perQuery.modelCalls ?? null,
      fallbacks: perQuery.fallbacks ?? null,
      failed: trial.failed,
      latency: times.get(trial.id) ?? null,
      compared: compared.get(trial.id) ?? null,
      baseline: trial.id === baseline,
      optimism: null,
    }
  })
  const tuned = summary.tuned.map((row): Standing => {
    const id = `tuned:${row.strategy}`
    return {
      kind: 'tuned',
      id,
      name: row.name,
      strategy: row.strategy,
      measures: row.measures,
      tokens: null,
      modelCalls: null,
      fallbacks: null,
      failed: null,
      latency: null,
      compared: compared.get(id) ?? null,
      baseline: id === baseline,
      optimism: row.optimism,
    }
  })
  const best = (rows: Standing[]) => rows.sort((a, b) => meanOf(b, summary) - meanOf(a, summary))
  return tuned.length > 0 ? { ranked: best(tuned), seen: best(trials) } : { ranked: best(trials), seen: [] }
}

/** Mean tokens a query of chunks and evidence together, to the experiment's depth. */
export function tokensOf({ perQuery }: TrialSummary): number | null {
  return perQuery.tokens === undefined ? null : perQuery.tokens + (perQuery.evidenceTokens ?? 0)
}

function meanOf(
  row: { readonly measures: Readonly<Record<string, Estimate>> },
  { primary }: Summary,
): number {
  return row.measures[primary]?.mean ?? Number.NEGATIVE_INFINITY
}

/** The confidence of the intervals as words: '95 %'; '' where no comparison names a level. */
export function confidence({ comparison }: Summary): string {
  return comparison ? `${Number((100 * (1 - comparison.level)).toFixed(2))} % ` : ''
}

/**
 * Places of the trials that stand for the experiment in the strategy pictures: the best trial of each strategy and the
 * baseline, best first, at most `most`.
 */
export function representatives(summary: Summary, most = 12): number[] {
  const order = summary.trials
    .map((_, place) => place)
    .sort((a, b) => meanOf(summary.trials[b], summary) - meanOf(summary.trials[a], summary) || a - b)
  const seen = new Set<string>()
  const best = order.filter((place) => {
    const { strategy } = summary.trials[place]
    return !seen.has(strategy) && seen.add(strategy)
  })
  const baseline = baselinePlace(summary)
  const wanted = best.slice(0, most)
  if (baseline !== null && !wanted.includes(baseline)) wanted.push(baseline)
  return order.filter((place) => wanted.includes(place))
}

/** The trial that differences are drawn against: the baseline, or the best trial of a tuned baseline's strategy. */
export function baselinePlace(summary: Summary): number | null {
  const id = summary.comparison?.baseline
  if (id === undefined) return null
  if (!id.startsWith('tuned:')) {
    const place = summary.trials.findIndex((trial) => trial.id === id)
    return place < 0 ? null : place
  }
  const strategy = id.slice('tuned:'.length)
  return summary.trials.reduce<number | null>((best, trial, place) => {
    if (trial.strategy !== strategy) return best
    return best === null || meanOf(trial, summary) > meanOf(summary.trials[best], summary) ? place : best
  }, null)
}
