import { resolve } from 'node:path'
import { UserError } from '../../errors.ts'
import {
  leaderboardCsv,
  leaderboardJson,
  leaderboardLatex,
  leaderboardMarkdown,
  leaderboardText,
} from '../../report/leaderboard.ts'
import { holdsDatasets } from '../../results/dataset-folders.ts'
import { readMacro } from '../../results/macro.ts'
import { readLatency, readSummary } from '../../results/read.ts'
import { defineCommand } from '../command.ts'
import { printExpandedGold } from '../expanded-gold.ts'

export const leaderboard = defineCommand({
  args: { experiment: { value: 'EXPERIMENT', summary: 'experiment folder, over one dataset or several' } },
  options: {
    csv: { kind: 'flag', summary: 'print CSV: every measure with its interval, at full precision' },
    latex: { kind: 'flag', summary: 'print a LaTeX table (booktabs)' },
    markdown: { kind: 'flag', summary: 'print a Markdown table' },
    expandGold: {
      kind: 'text',
      value: 'GRAPH',
      summary:
        "show the finalists' scores if chunks near the gold counted too: relationships, titles, similar, ... as in graph-boost",
    },
    hops: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 10,
      default: 1,
      summary: 'with --expand-gold: maximum distance from the gold',
    },
  },
  examples: [
    'touchstone leaderboard experiments/quickstart',
    'touchstone leaderboard experiments/quickstart --json',
    'touchstone leaderboard experiments/quickstart --latex > table.tex',
    'touchstone leaderboard experiments/rulebook --expand-gold relationships --hops 1',
  ],
  async run({ args, options, io }) {
    const forms = (['json', 'csv', 'latex', 'markdown'] as const).filter((form) => options[form])
    if (forms.length > 1)
      throw new UserError(`choose one format: ${forms.map((form) => `--${form}`).join(' or ')}`)
    const folder = resolve(io.folder, args.experiment)
    const { expandGold, hops, json } = options
    if (expandGold !== undefined) return printExpandedGold(folder, { expandGold, hops, json }, io)
    const several = holdsDatasets(folder)
    const summary = several ? readMacro(folder) : readSummary(folder)
    const latency = several ? null : readLatency(folder)
    if (options.json) io.json(leaderboardJson(summary, latency))
    else if (options.csv) io.out(leaderboardCsv(summary, latency))
    else if (options.latex) io.out(leaderboardLatex(summary, latency))
    else if (options.markdown) io.out(leaderboardMarkdown(summary, latency))
    else io.painted(leaderboardText(summary, latency, io))
  },
})
