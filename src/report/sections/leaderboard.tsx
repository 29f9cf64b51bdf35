import type { Summary } from '../../results/summary.ts'
import { allRows, type Board, scaleOf } from '../board.ts'
import { BoardTable } from '../components/board-table.tsx'
import { term } from '../glossary.tsx'
import { confidence, tokensName } from '../notes.ts'
import { plural } from '../numbers.ts'
import { markLegend } from '../outcome.ts'
import { say } from '../words.tsx'
import type { PageData, PageSection } from './section.tsx'

/** Rows without the page's script. */
const SHOWN = 25

export function leaderboardSection({ board, summary }: Pick<PageData, 'board' | 'summary'>): PageSection {
  const body = (
    <>
      <div id="board-app">
        <BoardTable
          id="board-table"
          board={board}
          rows={allRows(board).slice(0, SHOWN)}
          columns={board.columns.flatMap(({ isFirst }, at) => (isFirst ? [at] : []))}
          scale={scaleOf(board.columns[0], [...board.ranked, ...board.seen])}
          label="Leaderboard"
        />
      </div>
      <p class="caption">
        {reading(board)}
        {board.answered.length > 0 &&
          say` Rows with + are answers, compared by ${<code>{board.answerMeasures[0]}</code>} with the same answerer over the baseline trial.`}
        {missingIntervals(summary)}
      </p>
    </>
  )
  return { id: 'leaderboard', title: 'Leaderboard', body, charts: [] }
}

function reading(board: Board) {
  const { comparison, tuning, primary, ranked, seen, level, isMacro } = board
  const means = isMacro ? 'Means per dataset and their macro mean,' : 'Means'
  const chosen =
    seen.length > 0
      ? ' Each strategy is tuned on queries that do not score it; a strategy opens into its trials, scored on all queries.'
      : tuning.kind === 'none' && ranked.length > 1
        ? ' The first row is chosen and scored on the same queries, so its mean is probably a little too good.'
        : ''
  return say`${means} in percent over ${plural(ranked[0]?.measures[primary]?.n ?? 0, 'query', 'queries')}; brackets are ${term('confidence interval', `${confidence(level)}intervals`)}${comparison && say`; ${term('paired difference', 'differences')} from the baseline are paired: ${markLegend(comparison.rows)}`}.${chosen}`
}

function missingIntervals(summary: Summary): string | null {
  const { trials, primary, datasets } = summary
  if (datasets.length > 1) return null
  const count = trials.filter(({ measures }) => measures[primary]?.low !== null).length
  if (count === 0 || count === trials.length) return null
  return ` Intervals and rankings were stored for ${plural(count, 'finalist')}: the baseline, the best trial of each strategy, trials on the Pareto front of quality and ${tokensName(summary)}, then the best of the rest.`
}
