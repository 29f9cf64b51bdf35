import type { Measure } from '../../metrics/define.ts'
import { meanOf } from '../../metrics/evaluate.ts'
import type { CompiledTrial } from '../../plan/compile.ts'
import type { RoutingSummary } from '../../results/summary.ts'
import { tune, tunedValues } from '../../statistics/tuned.ts'
import type { Merged } from './merge.ts'

/**
 * How well each router chose, in the primary measure over the queries that count. What an arm would have reached on
 * every query is read off the trial of the same grid that computes the same ranking; without such a trial for every
 * arm there is no oracle, and the arms that lack one are named.
 */
export function describeRouting(
  trials: readonly CompiledTrial[],
  merged: Merged,
  primary: Measure,
  valuesOf: (trial: number) => Float64Array,
  held: HeldOut | null,
): RoutingSummary[] {
  const scored = (trial: number) => {
    const values = valuesOf(trial)
    return held?.kind === 'split'
      ? values.map((value, query) => (held.parts[query] === 0 ? Number.NaN : value))
      : values
  }
  return trials.flatMap((router, index): RoutingSummary[] => {
    const [route, ...arms] = router.ranking.inputs
    if (!router.ranking.step.pick || !route?.step.arms) return []
    const names = route.step.arms.all(route.params)
    const standIns = arms.map(({ key }) => trials.findIndex(({ ranking }) => ranking.key === key))
    const missing = names.filter((_, arm) => standIns[arm] < 0)
    const own = scored(index)
    const chosen = merged.arms.get(index) ?? []
    const counted = [...own.keys()].filter((query) => !Number.isNaN(own[query]))
    const base = {
      id: router.id,
      name: router.name,
      arms: names.map((name, arm) => ({
        name,
        trial: trials[standIns[arm]]?.id ?? null,
        chosen: counted.filter((query) => chosen[query] === name).length,
      })),
      mean: meanOf(primary, own),
      missing,
    }
    if (missing.length > 0) return [{ ...base, best: null, oracle: null, tied: null, confusion: null }]

    const values = standIns.map((trial) => scored(trial))
    const sign = primary.metric.better === 'higher' ? 1 : -1
    const oracle = own.map((value, query) =>
      Number.isNaN(value) ? value : sign * Math.max(...values.map((arm) => sign * arm[query])),
    )
    const means = values.map((arm) => meanOf(primary, arm))
    const best = means.indexOf(sign * Math.max(...means.map((mean) => sign * mean)))
    const single = held ? bestHeldOut(names, standIns.map(valuesOf), held, primary) : null
    // Where arms tie at the top, the router's own choice counts as right, else the arm whose mean is best.
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
    return [
      {
        ...base,
        best: single ?? { name: names[best], mean: means[best], heldOut: false },
        oracle: meanOf(primary, oracle),
        tied: counted.length > 0 ? tied / counted.length : 0,
        confusion,
      },
    ]
  })
}

/** Which part of the tuning each query is in. */
export interface HeldOut {
  readonly kind: 'folds' | 'split'
  readonly parts: Uint8Array
}

/** The arm that was best on the other queries, scored on these; named by the arm that was chosen most often. */
function bestHeldOut(
  names: readonly string[],
  matrix: readonly Float64Array[],
  { kind, parts }: HeldOut,
  primary: Measure,
): { name: string; mean: number; heldOut: true } {
  const strategies = names.map(() => 'arm')
  const [row] = tune({ trials: names, strategies, matrix, parts, kind, better: primary.metric.better })
  const count = (arm: number) => row.chosen.filter((one) => one === arm).length
  const often = row.chosen.reduce((most, arm) => (count(arm) > count(most) ? arm : most))
  return { name: names[often], mean: meanOf(primary, tunedValues(row, matrix)), heldOut: true }
}
