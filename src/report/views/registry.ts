import type { Results } from '../../results/read.ts'
import type { Leaderboard } from '../leaderboard-rows.ts'
import { adviceView } from './advice.ts'
import { answersView } from './answers.ts'
import { categoriesView } from './categories.ts'
import { comparisonView } from './comparison.ts'
import { costView } from './cost.ts'
import { graphView } from './graph.ts'
import { gridView } from './grid.ts'
import { healthView } from './health.ts'
import { leaderboardView } from './leaderboard.ts'
import { lostView } from './lost.ts'
import { provenanceView } from './provenance.ts'
import { differencesView, queriesView } from './queries.ts'
import { routerView } from './router.ts'
import type { PageSection, QueryData } from './section.ts'
import { limitsView, verdictView } from './verdict.ts'

/** Input of a view. */
interface PageData extends Results {
  readonly board: Leaderboard
  /** Indexes of the trials that represent a strategy, best first. */
  readonly chosen: readonly number[]
}

type Sections = PageSection | null
/** Returns a section, null if there is nothing to show, or a function of the per-query data that does so. */
type View = (page: PageData) => Sections | ((perQuery: QueryData) => Sections)

/** Views in the page's order; a new view is a file and a line here. */
export const VIEWS: readonly View[] = [
  ({ board }) => verdictView(board),
  ({ board }) => leaderboardView(board),
  ({ summary, latency, chosen }) => costView(summary, latency, chosen),
  ({ summary }) => answersView(summary),
  ({ summary }) => gridView(summary),
  ({ board }) => limitsView(board),
  ({ board }) => comparisonView(board),
  ({ summary }) =>
    (perQuery) =>
      differencesView(summary, perQuery),
  ({ summary, chosen }) => categoriesView(summary, chosen),
  ({ summary }) => healthView(summary),
  () => queriesView,
  ({ summary, chosen }) => lostView(summary, chosen),
  ({ summary, latency, chosen }) => adviceView(summary, latency, chosen),
  ({ summary }) => routerView(summary),
  ({ graphs }) => graphView(graphs),
  provenanceView,
]
