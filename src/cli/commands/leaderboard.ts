import { resolve } from 'node:path'
import { UserError } from '../../errors.ts'
import { leaderboardText } from '../../report/leaderboard.ts'
import {
  leaderboardCsv,
  leaderboardJson,
  leaderboardLatex,
  leaderboardMarkdown,
} from '../../report/leaderboard-files.ts'
import { bibtexOf } from '../../report/references.ts'
import { readLatency, readSummary } from '../../results/read.ts'
import { defineCommand } from '../command.ts'
import { printExpandedGold } from '../expanded-gold.ts'

const FORMATS = {
  csv: leaderboardCsv,
  latex: leaderboardLatex,
  markdown: leaderboardMarkdown,
  bibtex: bibtexOf,
}

export const leaderboard = defineCommand({
  name: 'leaderboard',
  summary: 'print the leaderboard of a finished experiment',
  args: { experiment: { value: 'EXPERIMENT', summary: 'experiment folder, over one dataset or several' } },
  options: {
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: Object.keys(FORMATS),
      summary:
        'print CSV (every measure with its interval, at full precision), LaTeX (finalists, intervals, differences, adjusted p), Markdown, or BibTeX of the strategies and data sets',
    },
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
    'touchstone leaderboard experiments/quickstart --format latex > table.tex',
    'touchstone leaderboard experiments/rulebook --expand-gold relationships --hops 1',
  ],
  async run({ args, options, io }) {
    if (options.json && options.format !== undefined) throw new UserError('choose --json or --format')
    const folder = resolve(io.folder, args.experiment)
    const { expandGold, hops, json } = options
    if (expandGold !== undefined) return printExpandedGold(folder, { expandGold, hops, json }, io)
    const summary = readSummary(folder)
    const latency = readLatency(folder)
    if (options.json) io.json(leaderboardJson(summary, latency))
    else if (options.format !== undefined)
      io.out(FORMATS[options.format as keyof typeof FORMATS](summary, latency))
    else io.painted(leaderboardText(summary, latency, io))
  },
})
