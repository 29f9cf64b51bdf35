import type { Leaderboard } from '../../src/report/leaderboard-rows.ts'
import { rendered } from '../../src/report/markup.ts'
import { boardOf } from '../../src/report/pack-board.ts'
import { limitsView, verdictView } from '../../src/report/views/verdict.tsx'

/** Sentences of a verdict and of its limits, without markup, table and chart. */
export function verdictWords(board: Leaderboard): string {
  const [sentences] = rendered(verdictView(board, boardOf(board)).body).split('<div class="overview">')
  return `${sentences} ${rendered(limitsView(board).body)}`
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/\s+/g, ' ')
    .trim()
}
