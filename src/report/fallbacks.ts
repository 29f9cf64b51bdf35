import type { Summary, TrialSummary } from '../results/summary.ts'
import { percent, plural } from './numbers.ts'
import { thinGraphLines } from './thin-graphs.ts'

/** What a counter's name begins with that counts one reason to fall back. */
export const FALLBACK = 'fallback: '

/** Why queries of a trial took a second way, and the share of its queries that did. */
export function fallbacksOf({
  perQuery,
}: TrialSummary): readonly { readonly when: string; readonly share: number }[] {
  return Object.entries(perQuery)
    .filter(([counter, share]) => counter.startsWith(FALLBACK) && share > 0)
    .map(([counter, share]) => ({ when: counter.slice(FALLBACK.length), share }))
}

/** Trials that are named; the report has all. */
const NAMED = 12

/** A line a trial that fell back, those that did most often first; and one a graph that leaves out most chunks. */
export function fallbackLines({ trials, indexes }: Summary): string[] {
  const fell = trials
    .flatMap((trial) => {
      const reasons = fallbacksOf(trial)
      return reasons.length > 0 ? [{ name: trial.name, reasons }] : []
    })
    .sort((a, b) => most(b.reasons) - most(a.reasons))
  const lines = fell
    .slice(0, NAMED)
    .map(
      ({ name, reasons }) =>
        `${name}: ${reasons.map(({ when, share }) => `${percent(share)} % of queries fell back (${when})`).join(', ')}`,
    )
  if (fell.length > NAMED)
    lines.push(`${plural(fell.length - NAMED, 'more trial')} fell back too; the report lists all`)
  lines.push(...thinGraphLines(indexes))
  return lines
}

function most(reasons: readonly { readonly share: number }[]): number {
  return Math.max(...reasons.map(({ share }) => share))
}
