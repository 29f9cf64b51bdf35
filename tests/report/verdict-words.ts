import type { Leaderboard } from '../../src/report/leaderboard-rows.ts'
import { limitsView, verdictView } from '../../src/report/views/verdict.ts'

/** Sentences of a verdict and of its limits, without markup, table and chart. */
export function verdictWords(board: Leaderboard): string {
  const [sentences] = verdictView(board).body.markup.split('<div class="overview">')
  return `${sentences} ${limitsView(board).body.markup}`
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/\s+/g, ' ')
    .trim()
}
