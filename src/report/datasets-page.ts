import type { MacroDataset, MacroSummary } from '../results/macro.ts'
import { readAssets } from './assets.ts'
import { packBoard } from './detail/board.ts'
import { type Html, html } from './html.ts'
import { leaderboardOf } from './leaderboard-rows.ts'
import { isCount } from './measured.ts'
import { plural, quantity } from './numbers.ts'
import { blockElement } from './page.ts'
import { shell } from './shell.ts'
import { strategyDefinitions } from './strategy-terms.ts'
import { htmlTable } from './table.ts'
import { comparisonView } from './views/comparison.ts'
import { leaderboardView } from './views/leaderboard.ts'
import type { PageSection } from './views/section.ts'
import { limitsView, verdictView } from './views/verdict.ts'

/**
 * One HTML file over several datasets, which opens offline. `links` lead to the datasets' own reports, relative to this
 * file and in their order; null where there is none. `home` is as in `renderReport`. Equal results and links give equal bytes.
 */
export async function renderDatasets(
  macro: MacroSummary,
  links: readonly (string | null)[],
  home?: string,
): Promise<string> {
  const { experiment, datasets, primary, measures, depth, kind } = macro
  const board = leaderboardOf(macro)
  const queries = datasets.reduce((sum, { judged }) => sum + judged, 0)
  const rows =
    kind === 'tuned'
      ? plural(board.ranked.length, 'tuned strategy', 'tuned strategies')
      : plural(board.ranked.length, 'trial')
  const reports = datasets.map(
    ({ name }, index) => html`${index > 0 ? ', ' : null}${linked(name, links[index])}`,
  )
  const sections = [
    verdictView(board),
    leaderboardView(board),
    limitsView(board),
    comparisonView(board),
    datasetsView(macro, links),
  ].filter((section) => section !== null)
  return shell({
    title: experiment,
    home,
    subtitle: html`${plural(datasets.length, 'dataset')} (${reports}), ${plural(queries, 'judged query', 'judged queries')}; ${rows} by ${primary}, to depth ${quantity(depth)}.`,
    notice: 'Without JavaScript this page shows its text and tables, but no charts.',
    sections,
    definitions: await strategyDefinitions(board),
    meta: { experiment, primary, measures, counts: measures.filter((measure) => isCount(macro, measure)) },
    blocks: [blockElement(['board', packBoard(board)])],
    assets: readAssets(),
  })
}

/** Section of the datasets with links to their reports and the hashes of their results. */
function datasetsView(macro: MacroSummary, links: readonly (string | null)[]): PageSection {
  const body = htmlTable<MacroDataset>({
    id: 'datasets-table',
    caption: html`Each dataset has its own result and report with costs, categories and every query. Hash over all results: <code>${macro.result}</code>.`,
    columns: [
      { head: 'dataset', left: true, html: ({ name }, index) => linked(name, links[index]) },
      {
        head: 'documents',
        html: ({ documents }) => quantity(documents),
        value: ({ documents }) => documents,
      },
      { head: 'judged queries', html: ({ judged }) => quantity(judged), value: ({ judged }) => judged },
      { head: 'labelled unit', left: true, html: ({ judgedUnit }) => judgedUnit },
      { head: 'folder', left: true, html: ({ folder }) => folder },
      { head: 'result', left: true, html: ({ result }) => html`<code>${result}</code>` },
    ],
    rows: macro.datasets,
  })
  return { id: 'datasets', title: 'Datasets', body, charts: [] }
}

/** A dataset's name, linked to its report if there is one. */
function linked(name: string, link: string | null | undefined): Html {
  return link ? html`<a href="${link}"><bdi>${name}</bdi></a>` : html`<bdi>${name}</bdi>`
}
