import type { DatasetSummary, Summary } from '../results/summary.ts'
import { boardJson } from './board.ts'
import { htmlTable } from './components/html-table.tsx'
import { jsonBlock } from './detail/encode.ts'
import { boardOf } from './make-board.ts'
import { plural, quantity } from './numbers.ts'
import { comparisonSection } from './sections/comparison.tsx'
import { leaderboardSection } from './sections/leaderboard.tsx'
import type { PageSection } from './sections/section.tsx'
import { limitsSection, verdictSection } from './sections/verdict.tsx'
import { shell } from './shell.tsx'
import { strategyDefinitions } from './strategy-terms.tsx'
import { joined, say } from './words.tsx'

/**
 * Renders one HTML file over several datasets. `result` is the hash of their results. `links` lead to their reports,
 * relative to this file; null without one.
 */
export async function renderDatasets(
  summary: Summary,
  result: string,
  links: readonly (string | null)[],
  home?: string,
): Promise<string> {
  const { experiment, datasets, primary, depth } = summary
  const board = boardOf(summary)
  const queries = datasets.reduce((sum, { judged }) => sum + judged, 0)
  const rows =
    summary.tuned.length > 0
      ? plural(board.ranked.length, 'tuned strategy', 'tuned strategies')
      : plural(board.ranked.length, 'trial')
  const reports = joined(datasets.map(({ name }, index) => linked(name, links[index])))
  const sections = [
    verdictSection({ board, summary }),
    limitsSection({ summary }),
    leaderboardSection({ board, summary }),
    comparisonSection({ board }),
    datasetsSection(datasets, result, links),
  ].filter((section) => section !== null)
  return shell({
    title: experiment,
    home,
    subtitle: say`${plural(datasets.length, 'dataset')} (${reports}), ${plural(queries, 'judged query', 'judged queries')}; ${rows} by ${primary}, to depth ${quantity(depth)}.`,
    notice: 'Without JavaScript this page shows its text and tables, but no charts.',
    sections,
    definitions: await strategyDefinitions(board, summary),
    meta: { experiment, primary },
    blocks: { board: jsonBlock(boardJson(board)) },
  })
}

function datasetsSection(
  datasets: readonly DatasetSummary[],
  result: string,
  links: readonly (string | null)[],
): PageSection {
  const body = htmlTable<DatasetSummary>({
    id: 'datasets-table',
    caption: say`Each dataset has its own result and report with costs, categories and every query. Hash over all results: ${<code>{result}</code>}.`,
    columns: [
      { head: 'dataset', left: true, html: ({ name }, index) => linked(name, links[index]) },
      { head: 'documents', value: ({ documents }) => documents },
      { head: 'judged queries', value: ({ judged }) => judged },
      { head: 'labelled unit', left: true, html: ({ judgedUnit }) => judgedUnit },
      { head: 'folder', left: true, html: ({ folder }) => folder ?? '' },
      { head: 'result', left: true, html: ({ result }) => <code>{result}</code> },
    ],
    rows: datasets,
  })
  return { id: 'datasets', title: 'Datasets', body, charts: [] }
}

function linked(name: string, link: string | null | undefined) {
  const text = <bdi>{name}</bdi>
  return link ? <a href={link}>{text}</a> : text
}
