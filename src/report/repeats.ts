import type { Summary, TrialSummary } from '../results/summary.ts'

type RepeatsSummary = NonNullable<TrialSummary['repeats']>

/** Share of the mean's variance due to seeds, 0 to 1. */
export function shareOfSeeds({ error: { queries, repeats, rest } }: RepeatsSummary): number {
  const all = queries + repeats + rest
  return all > 0 ? repeats / all : 0
}

const FEWEST = 3

/** Share of the variance that needs no further repeats. */
const SMALL = 0.1

/**
 * Number R of repeats at which seeds account for a tenth of the variance, at least 3. With errors A of queries, B of seeds
 * and E of their interaction for one repeat: B/R <= .1 (A + (B + E)/R). Null if the queries do not vary.
 */
export function enoughRepeats({ means, error: { queries, repeats, rest } }: RepeatsSummary): number | null {
  const [one, both] = [repeats * means.length, rest * means.length]
  if (repeats === 0) return FEWEST
  if (queries === 0) return null
  return Math.max(FEWEST, Math.ceil(((1 - SMALL) * one - SMALL * both) / (SMALL * queries)))
}

/** Describes repeated trials; '' without repeats. */
export function repeatsInWords({ trials }: Summary): string {
  const repeated = trials.filter(({ repeats }) => repeats)
  if (repeated.length === 0) return ''
  const count = repeated[0].repeats?.means.length
  return `Stochastic trials (${repeated.length} of ${trials.length}) were run with ${count} seeds each; their intervals and tests account for both queries and seeds.`
}
