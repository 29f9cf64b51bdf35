import { NEIGHBORS } from '../../corpus/graph/chunk-neighbors.ts'
import { UserError } from '../../errors.ts'
import { type Expanded, type ExpandedGold, expandGold } from '../../library/expand-gold.ts'
import { leaderboardText } from '../../report/leaderboard.ts'
import {
  leaderboardCsv,
  leaderboardJson,
  leaderboardLatex,
  leaderboardMarkdown,
} from '../../report/leaderboard-files.ts'
import { percent, plural, quantity } from '../../report/numbers.ts'
import { bibtexOf } from '../../report/references.ts'
import { type Column, terminalTable } from '../../report/table.ts'
import { readLatency, readSummary } from '../../results/read.ts'
import { choice, defineCommand, integer } from '../command.ts'
import type { Io } from '../io.ts'

const FORMATS = {
  csv: leaderboardCsv,
  latex: leaderboardLatex,
  markdown: leaderboardMarkdown,
  bibtex: bibtexOf,
}

export default defineCommand({
  name: 'leaderboard',
  summary: 'print the leaderboard of a finished experiment',
  args: { experiment: { value: 'EXPERIMENT', summary: 'experiment folder, over one dataset or several' } },
  options: {
    format: choice(
      'FORMAT',
      Object.keys(FORMATS) as (keyof typeof FORMATS)[],
      'print CSV (every measure with its interval, at full precision), LaTeX (finalists, intervals, differences, adjusted p), Markdown, or BibTeX of the strategies and data sets',
    ),
    expandGold: choice(
      'GRAPH',
      NEIGHBORS,
      "show the finalists' scores if chunks near the gold counted too: relationships, titles, similar, ... as in graph-boost",
    ),
    hops: integer('N', 'with --expand-gold: maximum distance from the gold', { min: 1, max: 10, default: 1 }),
  },
  examples: [
    'touchstone leaderboard experiments/quickstart',
    'touchstone leaderboard experiments/quickstart --json',
    'touchstone leaderboard experiments/quickstart --format latex > table.tex',
    'touchstone leaderboard experiments/rulebook --expand-gold relationships --hops 1',
  ],
  async run({ args, options, io }) {
    if (options.json && options.format !== undefined) throw new UserError('choose --json or --format')
    const folder = io.path(args.experiment)
    if (options.expandGold !== undefined)
      return printExpandedGold(folder, options.expandGold, options.hops, io)
    const summary = readSummary(folder)
    const latency = readLatency(folder)
    if (options.json) io.json(leaderboardJson(summary, latency))
    else if (options.format !== undefined) io.out(FORMATS[options.format](summary, latency))
    else io.painted(leaderboardText(summary, latency, io))
  },
})

const CUTOFF = 10

type Graph = (typeof NEIGHBORS)[number]

async function printExpandedGold(folder: string, over: Graph, hops: number, io: Io): Promise<void> {
  const k = CUTOFF
  const rows = await expandGold(folder, { over, hops, k })
  io.result({ over, hops, k, trials: rows }, () => {
    const columns: readonly Column<ExpandedGold>[] = [
      { head: 'trial', left: true, text: ({ trial }) => trial },
      ...expandedColumns(`mrr@${k}`, ({ mrr }) => mrr),
      ...expandedColumns(`recall@${k}`, ({ recall }) => recall),
    ]
    const [{ alternatives, share, queries }] = rows
    const shared = `${quantity(alternatives)} ${alternatives === 1 ? 'unit counts' : 'units count'} for a gold label on average, ${percent(share)} % of the corpus`
    const cut = Math.max(...rows.map((row) => row.cut))
    return [
      terminalTable(rows, columns, { width: io.columns }),
      `\nIn percent, with 95 % intervals. A chunk within ${plural(hops, 'hop')} of a gold one over ${over} counts for it too; it need not answer.`,
      share > WIDE ? `Warning: ${shared}. The figure describes this graph, not the retrieval.` : `${shared}.`,
      cut > 0 &&
        `For up to ${cut} of ${queries} queries the ranks that a run keeps end before ${k} documents, so more may be added than is shown.`,
    ]
      .filter(Boolean)
      .join('\n')
  })
}

/** Share of the corpus above which a label's alternatives say little. */
const WIDE = 0.05

function expandedColumns(head: string, of: (row: ExpandedGold) => Expanded): readonly Column<ExpandedGold>[] {
  const added = ({ plain, expanded, low, high }: Expanded) =>
    `+${percent(expanded - plain)} [${percent(low)}, ${percent(high)}]`
  return [
    { head, text: (row) => percent(of(row).plain) },
    { head: 'expanded', text: (row) => percent(of(row).expanded) },
    { head: 'added', left: true, text: (row) => added(of(row)) },
  ]
}
