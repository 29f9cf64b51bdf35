import type { Measure } from '../../metrics/define.ts'
import { meanOf } from '../../metrics/evaluate.ts'
import { ANY, clamped } from '../../metrics/range.ts'
import type { RoutingSummary } from '../../results/summary.ts'
import { type Expression, reapply } from '../../retrieve/step.ts'
import { withOwn } from '../../retrieve/steps/trial.ts'
import { ratioInterval } from '../../statistics/intervals.ts'
import { tune, tunedValues } from '../../statistics/tuned.ts'
import type { CompiledTrial } from '../plan/compile.ts'
import type { Merged } from './merge.ts'

export interface Router {
  readonly id: string
  readonly name: string
  /** Trial that computes the arm alone; -1 if the grid has none. */
  readonly arms: readonly { readonly name: string; readonly trial: number }[]
  readonly chosen: readonly (string | null)[]
  readonly values: Float64Array
  readonly fitted?: RoutingSummary['fitted']
}

/** Routers among the trials. An arm's own trial has the router's ranking with the arm in place of the choice. */
export function routersOf(
  trials: readonly CompiledTrial[],
  merged: Merged,
  valuesOf: (trial: number) => Float64Array,
): Router[] {
  const byRanking = new Map<string, number>()
  trials.forEach((trial, place) => {
    const { key } = withOwn(trial.ranking)
    if (!byRanking.has(key)) byRanking.set(key, place)
  })
  return trials.flatMap(({ id, name, strategy, ranking }, index): Router[] => {
    const whole = withOwn(ranking)
    const route = isChoice(whole) || strategy === 'router' ? routeOf(whole) : undefined
    if (!route?.step.arms) return []
    const arms = route.step
      .arms(route.params)
      .map((arm, at) => ({ name: arm, trial: byRanking.get(withArm(whole, route, at).key) ?? -1 }))
    return [{ id, name, arms, chosen: merged.arms.get(index) ?? [], values: valuesOf(index) }]
  })
}

/** True for a step that picks one of its inputs. */
function isChoice({ step, inputs }: Expression<unknown>): boolean {
  return step.pick !== undefined && inputs[0]?.step.arms !== undefined
}

function routeOf(expression: Expression<unknown>): Expression<unknown> | undefined {
  if (isChoice(expression)) return expression.inputs[0]
  for (const input of expression.inputs) {
    const route = routeOf(input)
    if (route) return route
  }
  return undefined
}

/** The expression with one arm in place of every choice of a route. */
function withArm(
  expression: Expression<unknown>,
  route: Expression<unknown>,
  arm: number,
): Expression<unknown> {
  const { inputs } = expression
  if (isChoice(expression) && inputs[0].key === route.key) return inputs[arm + 1]
  const others = inputs.map((input) => withArm(input, route, arm))
  return others.every((other, at) => other === inputs[at]) ? expression : reapply(expression, others)
}

interface Judging {
  readonly trials: readonly Pick<CompiledTrial, 'id'>[]
  readonly primary: Measure
  readonly valuesOf: (trial: number) => Float64Array
  readonly held: HeldOut | null
  readonly level: number
}

export interface HeldOut {
  readonly kind: 'folds' | 'split'
  readonly parts: Uint8Array
}

/**
 * Measures how well a router chose, in the primary measure. If an arm has no trial of its own, there is no oracle, and
 * `missing` names the arm.
 */
export function describeRouting(router: Router, judging: Judging): RoutingSummary {
  const { trials, primary, valuesOf, held, level } = judging
  const scored = (values: Float64Array) =>
    held?.kind === 'split'
      ? values.map((value, query) => (held.parts[query] === 0 ? Number.NaN : value))
      : values
  const { id, name, chosen } = router
  const names = router.arms.map((arm) => arm.name)
  const missing = router.arms.flatMap((arm) => (arm.trial < 0 ? [arm.name] : []))
  const routerValues = scored(router.values)
  const counted = [...routerValues.keys()].filter((query) => !Number.isNaN(routerValues[query]))
  const base = {
    id,
    name,
    ...(router.fitted && { fitted: router.fitted }),
    arms: router.arms.map((arm) => ({
      name: arm.name,
      trial: trials[arm.trial]?.id ?? null,
      chosen: counted.filter((query) => chosen[query] === arm.name).length,
    })),
    mean: meanOf(primary, routerValues),
    missing,
  }
  if (missing.length > 0)
    return { ...base, best: null, oracle: null, share: null, tied: null, confusion: null }

  const all = router.arms.map((arm) => valuesOf(arm.trial))
  const values = all.map(scored)
  const sign = primary.metric.better === 'higher' ? 1 : -1
  const oracle = routerValues.map((value, query) =>
    Number.isNaN(value) ? value : sign * Math.max(...values.map((arm) => sign * arm[query])),
  )
  const means = values.map((arm) => meanOf(primary, arm))
  const best = means.indexOf(sign * Math.max(...means.map((mean) => sign * mean)))
  const single = held ? bestHeldOut(names, all, held, primary) : { name: names[best], values: values[best] }
  // If arms tie for the best value, the router's choice counts as right, else the tied arm with the best mean.
  const order = names.map((_, arm) => arm).sort((a, b) => sign * (means[b] - means[a]))
  const confusion = names.map(() => names.map(() => 0))
  let tied = 0
  for (const query of counted) {
    const took = names.indexOf(chosen[query] ?? '')
    if (took < 0) continue
    if (values.every((arm) => arm[query] === values[0][query])) tied++
    const right = [took, ...order].find((arm) => values[arm][query] === oracle[query]) ?? took
    confusion[took][right]++
  }
  return {
    ...base,
    best: { name: single.name, mean: meanOf(primary, single.values), heldOut: held !== null },
    oracle: meanOf(primary, oracle),
    share: shareOf({ own: routerValues, oracle, single: single.values, primary, level }),
    tied: counted.length > 0 ? tied / counted.length : 0,
    confusion,
  }
}

interface Columns {
  readonly own: Float64Array
  readonly oracle: Float64Array
  readonly single: Float64Array
  readonly primary: Measure
  readonly level: number
}

/** Share of the headroom that the router gains; null without headroom. */
function shareOf({ own, oracle, single, primary, level }: Columns): RoutingSummary['share'] {
  const [mean, top, base] = [own, oracle, single].map((column) => meanOf(primary, column))
  if (Math.abs(top - base) < 1e-12) return null
  const above = (column: Float64Array) =>
    column.map((value, query) => value - single[query]).filter((value) => !Number.isNaN(value))
  const [gained, headroom] = [above(own), above(oracle)]
  const interval = primary.metric.mean === 'arithmetic' ? ratioInterval(gained, headroom, level) : null
  // No router beats the oracle.
  const possible = interval && clamped(interval, { ...ANY, high: 1 })
  const value = (mean - base) / (top - base)
  return { value, low: possible?.low ?? null, high: possible?.high ?? null, n: gained.length, level }
}

/** Best arm on the other queries, scored on these; named after the most frequent choice. */
function bestHeldOut(
  names: readonly string[],
  matrix: readonly Float64Array[],
  { kind, parts }: HeldOut,
  primary: Measure,
): { name: string; values: Float64Array } {
  const strategies = names.map(() => 'arm')
  const [row] = tune({ trials: names, strategies, matrix, parts, kind, better: primary.metric.better })
  const count = (arm: number) => row.chosen.filter((choice) => choice === arm).length
  const often = row.chosen.reduce((most, arm) => (count(arm) > count(most) ? arm : most))
  return { name: names[often], values: tunedValues(row, matrix) }
}
