import { UserError } from '../errors.ts'
import { didYouMean } from '../text/nearest.ts'
import type { GradedRanking, Measure } from './define.ts'
import { DIALECTS, type Dialect } from './dialects.ts'
import { createViewer } from './view.ts'

interface Scorer {
  score(judged: GradedRanking, out?: Float64Array, at?: number): Float64Array
}

/** Creates a scorer. Throws a UserError where the dialect has no such measure. */
export function createScorer(
  measures: readonly Measure[],
  dialect: Dialect = DIALECTS['trec_eval-10'],
): Scorer {
  const scores = measures.map((measure) => scoreOf(measure, dialect))
  const rels = [...new Set(measures.map(({ rel }) => rel))]
  const groups = rels.map((rel) => ({
    rel,
    indexes: measures.flatMap((measure, index) => (measure.rel === rel ? [index] : [])),
  }))
  const viewer = createViewer()

  function score(judged: GradedRanking, out = new Float64Array(measures.length), at = 0): Float64Array {
    for (const { rel, indexes } of groups) {
      const view = viewer.view(judged, rel)
      for (const index of indexes) out[at + index] = scores[index](view, measures[index])
    }
    return out
  }
  return { score }
}

function scoreOf(measure: Measure, { name, metrics, only }: Dialect): Measure['metric']['score'] {
  const { metric } = measure
  if (only && metric.name in metrics && measure.budget === null) return metrics[metric.name]
  if (!only) return metrics[metric.name] ?? metric.score
  const names = Object.keys(metrics)
  throw new UserError(
    `the dialect ${name} has no measure \`${measure.name}\`${didYouMean(metric.name, names)}; it has ${names.join(', ')}`,
  )
}

export function evaluate(
  measures: readonly Measure[],
  judged: GradedRanking,
  dialect?: Dialect,
): Float64Array {
  return createScorer(measures, dialect).score(judged)
}

/** As trec_eval: a query that found nothing must not make the whole mean 0. */
const MIN_GEO_MEAN = 0.00001

/**
 * Mean of many queries' values, summed in the byte order of ids and divided once, as in trec_eval. NaN does not count;
 * of none: 0. `absent` more queries count as 0; a geometric mean adds them last, as trec_eval 9 with -c.
 */
export function meanOf(measure: Measure, values: ArrayLike<number>, absent = 0): number {
  const { mean } = measure.metric
  let sum = 0
  let counted = 0
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (Number.isNaN(value)) continue
    counted++
    sum += mean === 'geometric' ? Math.log(Math.max(value, MIN_GEO_MEAN)) : value
  }
  counted += absent
  if (mean === 'geometric' && absent > 0) sum += absent * Math.log(MIN_GEO_MEAN)
  if (mean === 'sum' || counted === 0) return sum
  return mean === 'geometric' ? Math.exp(sum / counted) : sum / counted
}
