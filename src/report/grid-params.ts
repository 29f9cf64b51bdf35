import type { Summary, TrialSummary } from '../results/summary.ts'
import type { Json } from '../types.ts'

export interface ParamEffect {
  readonly strategy: string
  readonly param: string
  /** Mean of the primary measure by value. */
  readonly values: readonly { readonly text: string; readonly trials: number; readonly mean: number }[]
  readonly spread: number
  /** Share of the variance between trials that the param explains, 0 to 1. */
  readonly share: number
}

export function valueText(value: Json | undefined): string {
  if (value === undefined) return 'default'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function paramText({ varied, params }: TrialSummary, param: string): string {
  return valueText(varied[param] ?? params[param])
}

/** Compares numbers by size, other texts by code unit. */
export function compareValues(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)]
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Params with two or more values; most values first, then the largest share of variance. Values are compared over the
 * settings of the other params at which every value was tried, or over all trials if there is no such setting (a
 * random sample).
 */
export function paramEffects(summary: Summary, strategy: string): ParamEffect[] {
  const trials = summary.trials.filter((trial) => trial.strategy === strategy)
  const quality = ({ measures }: TrialSummary) => measures[summary.primary].mean
  const overall = mean(trials.map(quality))
  const total = trials.reduce((sum, trial) => sum + (quality(trial) - overall) ** 2, 0)
  const params = [...new Set(trials.flatMap(({ varied }) => Object.keys(varied)))]
  return params
    .map((param): ParamEffect => {
      const used = balanced(trials, param, params)
      const overall = mean(used.map(quality))
      const groups = groupedBy(used, (trial) => paramText(trial, param))
      const values = [...groups]
        .sort(([a], [b]) => compareValues(a, b))
        .map(([text, list]) => ({ text, trials: list.length, mean: mean(list.map(quality)) }))
      const means = values.map((value) => value.mean)
      const between = values.reduce((sum, value) => sum + value.trials * (value.mean - overall) ** 2, 0)
      return {
        strategy,
        param,
        values,
        spread: Math.max(...means) - Math.min(...means),
        share: total > 0 ? between / total : 0,
      }
    })
    .filter(({ values }) => values.length > 1)
    .sort((a, b) => b.values.length - a.values.length || b.share - a.share)
}

function balanced(trials: readonly TrialSummary[], param: string, params: readonly string[]) {
  const values = (list: readonly TrialSummary[]) => new Set(list.map((trial) => paramText(trial, param))).size
  const others = params.filter((name) => name !== param)
  const settings = groupedBy(trials, (trial) => JSON.stringify(others.map((name) => paramText(trial, name))))
  const complete = [...settings.values()].filter((list) => values(list) === values(trials)).flat()
  return complete.length > 0 ? complete : trials
}

function groupedBy<T>(list: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of list) {
    const at = key(item)
    const group = groups.get(at)
    if (group) group.push(item)
    else groups.set(at, [item])
  }
  return groups
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
