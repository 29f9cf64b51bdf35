import { boardOf } from '../../src/report/make-board.ts'
import { rendered } from '../../src/report/markup.ts'
import { limitsView, verdictView } from '../../src/report/views/verdict.tsx'
import type { Summary } from '../../src/results/summary.ts'

/** Sentences of a verdict and of its limits, without markup, table and chart. */
export function verdictWords(summary: Summary): string {
  const [sentences] = rendered(verdictView(boardOf(summary), summary).body).split('<div class="overview">')
  return `${sentences} ${rendered(limitsView(summary).body)}`
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/\s+/g, ' ')
    .trim()
}
