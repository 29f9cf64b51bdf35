import type { Results } from '../../results/read.ts'
import type { Leaderboard } from '../leaderboard-rows.ts'
import { adviceView } from './advice.ts'
import { answersView } from './answers.ts'
import { categoriesView } from './categories.ts'
import { comparisonView } from './comparison.ts'
import { costView } from './cost.ts'
import { differencesView } from './differences.ts'
import { gridView } from './grid.ts'
import { healthView } from './health.ts'
import { indexesView } from './indexes.ts'
import { leaderboardView } from './leaderboard.ts'
import { lostView } from './lost.ts'
import { provenanceView } from './provenance.ts'
import { queriesView } from './queries.ts'
import { repeatsView } from './repeats.ts'
import { robustnessView } from './robustness.ts'
import { routerView } from './router.ts'
import type { PageSection, QueryData } from './section.ts'
import { verdictView } from './verdict.ts'

/** What a view can read. */
export interface PageData extends Results {
  readonly standings: Leaderboard
  /** Places of the trials that stand for a strategy, the best first. */
  readonly chosen: readonly number[]
}

type Sections = PageSection | null
/** A section, null where there is nothing to show; a function of what the page holds of every query, where it reads that. */
type View = (sight: PageData) => Sections | ((held: QueryData) => Sections)

/** The views in the page's order: a new one is a file of its own and a line here. */
export const VIEWS: readonly View[] = [
  ({ summary, standings }) => verdictView(summary, standings),
  ({ summary, standings }) => leaderboardView(summary, standings),
  ({ summary, latency, curves, chosen }) => costView(summary, latency, curves, chosen),
  ({ summary }) => answersView(summary),
  ({ summary }) => gridView(summary),
  ({ summary, standings }) => comparisonView(summary, standings),
  ({ summary }) =>
    (held) =>
      differencesView(summary, held),
  ({ summary, chosen }) => categoriesView(summary, chosen),
  ({ summary }) => repeatsView(summary),
  robustnessView,
  ({ summary }) => healthView(summary),
  ({ summary }) =>
    (held) =>
      queriesView(summary, held),
  ({ summary, chosen }) => lostView(summary, chosen),
  ({ summary, latency, chosen }) => adviceView(summary, latency, chosen),
  ({ summary }) => routerView(summary),
  ({ summary }) => indexesView(summary),
  provenanceView,
]
