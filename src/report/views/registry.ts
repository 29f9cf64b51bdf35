import type { Results } from '../../results/read.ts'
import type { Board } from '../board.ts'
import { adviceView } from './advice.tsx'
import { answersView } from './answers.tsx'
import { categoriesView } from './categories.tsx'
import { comparisonView } from './comparison.tsx'
import { costView } from './cost.tsx'
import { graphView } from './graph.tsx'
import { gridView } from './grid.tsx'
import { healthView } from './health.tsx'
import { leaderboardView } from './leaderboard.tsx'
import { lostView } from './lost.tsx'
import { provenanceView } from './provenance.tsx'
import { differencesView, queriesView } from './queries.tsx'
import { readingView } from './reading.tsx'
import { routerView } from './router.tsx'
import type { PageSection, QueryData } from './section.tsx'
import { limitsView, verdictView } from './verdict.tsx'

interface PageData extends Results {
  readonly board: Board
  /** Indexes of representatives, best first. */
  readonly chosen: readonly number[]
}

type Sections = PageSection | null
/** Returns a section, null, or a function of the per-query data. */
type View = (page: PageData) => Sections | ((perQuery: QueryData) => Sections)

/** In the page's order. A new one is a file, a line here, and a place in the shell's views. */
export const SECTIONS: readonly View[] = [
  ({ board, summary }) => verdictView(board, summary),
  ({ summary }) => limitsView(summary),
  ({ board, summary }) => leaderboardView(board, summary),
  ({ summary, board, latency, chosen }) => costView(summary, board, latency, chosen),
  ({ summary, chosen }) => readingView(summary, chosen),
  ({ summary }) => gridView(summary),
  () => queriesView,
  ({ summary }) =>
    (perQuery) =>
      differencesView(summary, perQuery),
  ({ summary, chosen }) => categoriesView(summary, chosen),
  ({ summary, chosen }) => lostView(summary, chosen),
  ({ summary, latency, chosen }) => adviceView(summary, latency, chosen),
  ({ summary, board }) => answersView(summary, board),
  ({ board }) => comparisonView(board),
  ({ summary }) => healthView(summary),
  ({ summary }) => routerView(summary),
  ({ graphs }) => graphView(graphs),
  provenanceView,
]
