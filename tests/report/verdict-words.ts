import { boardOf } from '../../src/report/make-board.ts'
import { rendered } from '../../src/report/markup.ts'
import { limitsSection, verdictSection } from '../../src/report/sections/verdict.tsx'
import type { Summary } from '../../src/results/summary.ts'

/** Sentences of a verdict and of its limits, without markup, table and chart. */
export function verdictWords(summary: Summary): string {
  const [sentences] = rendered(verdictSection({ board: boardOf(summary), summary }).body).split(
    '<div class="overview">',
  )
  return `${sentences} ${rendered(limitsSection({ summary }).body)}`
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/\s+/g, ' ')
    .trim()
}
