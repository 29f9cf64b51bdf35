import type { Latency } from '../results/latency.ts'
import type { Summary } from '../results/summary.ts'
import { raised, raisedInLatex } from '../statistics/letters.ts'
import { csv } from './csv.ts'
import { lettersNote, tuningNote } from './leaderboard.ts'
import { interval, percent, points, quantity } from './numbers.ts'
import { confidence, type Standing, standingsOf } from './standings.ts'

/** `leaderboard --json`: means are fractions, 0 to 1; trials best first by the primary measure. */
export function leaderboardJson(summary: Summary, latency: Latency | null) {
  const { ranked, seen } = standingsOf(summary, latency)
  const trials = new Map(summary.trials.map((trial) => [trial.id, trial]))
  return {
    experiment: summary.experiment,
    primary: summary.primary,
    tuning: summary.tuning,
    comparison: summary.comparison,
    tuned: ranked
      .filter(({ kind }) => kind === 'tuned')
      .map(({ strategy }) => summary.tuned.find((row) => row.strategy === strategy)),
    trials: (seen.length > 0 ? seen : ranked).map(({ id, latency: times }) => {
      const { name, strategy, params, before, after, measures, perQuery, failed } = trials.get(id)!
      return {
        id,
        name,
        strategy,
        params,
        before,
        after,
        measures,
        perQuery,
        failed,
        ...(times ? { latency: times } : {}),
      }
    }),
  }
}

/** One row a tuned strategy and trial, full precision. */
export function leaderboardCsv(summary: Summary, latency: Latency | null): string {
  const { ranked, seen } = standingsOf(summary, latency)
  const header = [
    'kind',
    'id',
    'name',
    'strategy',
    ...summary.measures.flatMap((measure) => [measure, `${measure} low`, `${measure} high`, `${measure} n`]),
  ]
  header.push(
    'tokens',
    'model calls',
    'fallbacks',
    'failed',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'difference',
    'difference low',
    'difference high',
    'p',
    'adjusted p',
    'verdict',
    'optimism',
  )
  const rows = [...ranked, ...seen].map((row) => [
    row.kind,
    row.id,
    row.name,
    row.strategy,
    ...summary.measures.flatMap((measure) => {
      const estimate = row.measures[measure]
      return estimate ? [estimate.mean, estimate.low, estimate.high, estimate.n] : [null, null, null, null]
    }),
    row.tokens,
    row.modelCalls,
    row.fallbacks,
    row.failed,
    row.latency?.p50.value,
    row.latency?.p95.value,
    row.latency?.p99.value,
    row.compared?.difference,
    row.compared?.low,
    row.compared?.high,
    row.compared?.p,
    row.compared?.adjusted,
    row.baseline ? 'baseline' : row.compared?.verdict,
    row.optimism,
  ])
  return csv(header, rows)
}

/** A leaderboard as cells of text. */
export interface Grid {
  readonly head: readonly string[]
  /** With tuned rows these and the trials stand apart, each under its title; else one part without a title. */
  readonly parts: readonly { readonly title: string; readonly rows: readonly (readonly string[])[] }[]
  readonly caption: string
}

/** Every measure in percent, the primary one with its interval, tokens and the difference to the baseline. */
function gridOf(summary: Summary, latency: Latency | null): Grid {
  const { ranked, seen } = standingsOf(summary, latency)
  const { primary, measures, dataset } = summary
  const others = measures.filter((measure) => measure !== primary)
  const mean = (row: Standing, measure: string) => percent(row.measures[measure]?.mean, 2)
  const cells = (row: Standing) => {
    const { low, high } = row.measures[primary] ?? { low: null, high: null }
    const { letter, beats } = row.lettered ?? { letter: '', beats: '' }
    return [
      letter ? `${row.name} (${letter})` : row.name,
      `${mean(row, primary)}${raised(beats)} ${interval(low, high)}`.trim(),
      ...others.map((measure) => mean(row, measure)),
      row.tokens === null ? '' : quantity(Math.round(row.tokens)),
      row.baseline
        ? 'baseline'
        : row.compared
          ? `${points(row.compared.difference)} (${row.compared.verdict})`
          : '',
    ]
  }
  const parts =
    seen.length > 0
      ? [
          { title: 'Strategies, tuned', rows: ranked.map(cells) },
          { title: 'All trials, over all queries (these means were seen in tuning)', rows: seen.map(cells) },
        ]
      : [{ title: '', rows: ranked.map(cells) }]
  const caption = `${summary.experiment}: percent, mean over ${dataset.judged} queries, ${confidence(summary)}intervals in brackets. ${lettersNote(summary)} ${tuningNote(summary)}`
  return {
    head: ['trial', primary, ...others, 'tokens', 'to baseline'],
    parts,
    caption: caption.replace(/ {2,}/g, ' ').trim(),
  }
}

export function leaderboardMarkdown(summary: Summary, latency: Latency | null): string {
  return gridMarkdown(gridOf(summary, latency))
}

export function gridMarkdown({ head, parts, caption }: Grid): string {
  // Markup in a name stays a name: what Markdown or HTML would read is escaped.
  const plain = (text: string) => text.replace(/[\\`*_{}[\]<>|#]/g, '\\$&').replace(/\s+/g, ' ')
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const tables = parts.flatMap(({ title, rows }) => [
    ...(title ? [`### ${title}`, ''] : []),
    line(head.map(plain)),
    line(head.map((_, place) => (place === 0 ? '---' : '--:'))),
    ...rows.map((cells) => line(cells.map((text, place) => (place === 0 ? plain(text) : text)))),
    '',
  ])
  return `${[...tables, caption].join('\n')}\n`
}

/** A booktabs table. */
export function leaderboardLatex(summary: Summary, latency: Latency | null): string {
  return gridLatex(gridOf(summary, latency))
}

export function gridLatex({ head, parts, caption }: Grid): string {
  const titled = (title: string) =>
    title
      ? [
          `    \\midrule`,
          `    \\multicolumn{${head.length}}{l}{\\textit{${latex(title)}}} \\\\`,
          '    \\midrule',
        ]
      : ['    \\midrule']
  const line = (cells: readonly string[]) => `    ${cells.map(latex).join(' & ')} \\\\`
  return `${[
    '\\begin{table}',
    `  \\caption{${latex(caption)}}`,
    `  \\begin{tabular}{l${'r'.repeat(head.length - 1)}}`,
    '    \\toprule',
    line(head),
    ...parts.flatMap(({ title, rows }) => [...titled(title), ...rows.map(line)]),
    '    \\bottomrule',
    '  \\end{tabular}',
    '\\end{table}',
  ].join('\n')}\n`
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '−': '$-$',
  '–': '--',
  '…': '\\ldots{}',
  '[': '{[}',
  ']': '{]}',
}

function latex(text: string): string {
  const escaped = text.replace(/[\\~^−–…[\]&%$#_{}]/g, (char) => LATEX[char] ?? `\\${char}`)
  return raisedInLatex(escaped.replace(/\s+/g, ' '))
}
