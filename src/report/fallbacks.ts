import type { Summary, TrialSummary } from '../results/summary.ts'
import { cutTextLines } from './cut-texts.ts'
import { foundNothingLines } from './found-nothing.ts'
import { lostWordsLines } from './lost-words.ts'
import { percent, plural } from './numbers.ts'
import { thinGraphLines } from './thin-graphs.ts'

/** Trials that are named; the report has all. */
const NAMED = 12

/**
 * A line a trial that fell back, those that did most often first; one a filter that leaves queries nothing; one a
 * graph that leaves out most chunks; one a search that does not know the words of some queries; and one a model that
 * reads only the beginning of some texts.
 */
export function fallbackLines(summary: Summary): string[] {
  const { trials, indexes } = summary
  const fell = trials
    .filter(({ fallbacks }) => fallbacks.length > 0)
    .sort((a, b) => highestShare(b) - highestShare(a))
  const lines = fell
    .slice(0, NAMED)
    .map(
      ({ name, fallbacks }) =>
        `${name}: ${fallbacks.map(({ when, share }) => `${percent(share)} % of queries used the fallback (${when})`).join(', ')}`,
    )
  if (fell.length > NAMED)
    lines.push(`${plural(fell.length - NAMED, 'more trial')} used a fallback; the report lists all`)
  for (const { name, perQuery } of trials)
    if (perQuery.leftNothing > 0)
      lines.push(`${name}: the filter leaves no chunk for ${percent(perQuery.leftNothing)} % of queries`)
  lines.push(
    ...foundNothingLines(summary),
    ...thinGraphLines(indexes),
    ...lostWordsLines(indexes),
    ...cutTextLines(indexes),
  )
  return lines
}

function highestShare({ fallbacks }: TrialSummary): number {
  return Math.max(...fallbacks.map(({ share }) => share))
}
