import type { Latency } from '../results/latency.ts'
import { milliseconds, plural, quantity } from './numbers.ts'

/** Highest ratio of a percentile between repeats. */
const STEADY = 2

const NAMED = 6

/** Sentences on how times were measured and why they may be unreliable. */
export function latencyNotes({ load, trials }: Latency): string[] {
  const [first] = trials
  if (!first) return []
  const { queries, repeats, p95 } = first
  const unsteady = trials
    .filter(({ byRepeat }) => Object.values(byRepeat).some(([low, high]) => high > STEADY * low))
    .map(({ name }) => name)
  const moreThan = (count: number) => (count > NAMED ? ` and ${quantity(count - NAMED)} more` : '')
  const inEngines = trials.flatMap(({ name, p50, engine }) =>
    engine ? [`${name} ${milliseconds(engine.p50.value)} of ${milliseconds(p50.value)}`] : [],
  )
  const inModels = trials.flatMap(({ name, model }) => (model ? [`${name} ${milliseconds(model.p50)}`] : []))
  const dates = [...new Set(trials.flatMap(({ model }) => (model ? [model.from, model.to] : [])))].sort()
  return [
    `Times: ${plural(queries, 'query', 'queries')} × ${plural(repeats, 'repeat')} per trial, load ${tenths(load.before)} before and at most ${tenths(load.highest)} while timing, on ${plural(load.cores, 'core')}.`,
    inModels.length > 0
      ? `Times include model calls as first measured (${dates[0]}${dates.length > 1 ? ` to ${dates[dates.length - 1]}` : ''}); their part of p50, in ms: ${inModels.slice(0, NAMED).join(', ')}${moreThan(inModels.length)}.`
      : '',
    trials.some(({ searchOnly }) => searchOnly)
      ? 'Search only: the times of model calls are unknown, because no model was asked, a recording was replayed, or the store has no times.'
      : '',
    inEngines.length > 0
      ? `Part of p50 that engines report for their searches, in ms: ${inEngines.slice(0, NAMED).join(', ')}${moreThan(inEngines.length)}.`
      : '',
    Math.max(load.before, load.highest) > load.cores
      ? 'The load was above the number of cores, so times may include waiting for a core.'
      : '',
    p95.high === null
      ? `With ${plural(queries, 'query', 'queries')} p95 has no upper confidence limit; use p50.`
      : '',
    unsteady.length > 0
      ? `Repeats differ by more than a factor of ${STEADY} in p50 or p95: ${unsteady.slice(0, NAMED).join(', ')}${moreThan(unsteady.length)}.`
      : '',
  ].filter(Boolean)
}

function tenths(load: number): string {
  return load.toFixed(1)
}
