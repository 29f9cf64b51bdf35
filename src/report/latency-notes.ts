import type { Latency } from '../results/latency.ts'
import { plural, quantity } from './numbers.ts'

/** The highest p50 or p95 of a repeat may be so many times the lowest. */
const STEADY = 2

/** Trials that are named. */
const NAMED = 6

/** Sentences on how times were measured and why they may be unreliable. */
export function latencyNotes({ load, trials }: Latency): string[] {
  const [first] = trials
  if (!first) return []
  const { queries, repeats, p95 } = first
  const unsteady = trials
    .filter(({ byRepeat }) => Object.values(byRepeat).some(([low, high]) => high > STEADY * low))
    .map(({ name }) => name)
  const more = unsteady.length > NAMED ? ` and ${quantity(unsteady.length - NAMED)} more` : ''
  return [
    `Times: ${plural(queries, 'query', 'queries')} × ${plural(repeats, 'repeat')} per trial, load ${tenths(load.before)} before and at most ${tenths(load.highest)} while timing, on ${plural(load.cores, 'core')}.`,
    Math.max(load.before, load.highest) > load.cores
      ? 'The load was above the number of cores, so times may include waiting for a core.'
      : '',
    p95.high === null
      ? `With ${plural(queries, 'query', 'queries')} p95 has no upper confidence limit; use p50.`
      : '',
    unsteady.length > 0
      ? `Repeats differ by more than a factor of ${STEADY} in p50 or p95: ${unsteady.slice(0, NAMED).join(', ')}${more}.`
      : '',
  ].filter(Boolean)
}

function tenths(load: number): string {
  return load.toFixed(1)
}
