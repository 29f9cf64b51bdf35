import type { Latency } from '../results/latency.ts'
import type { Summary } from '../results/summary.ts'
import { raised } from '../statistics/letters.ts'
import { type CsvValue, csvTable } from '../text/csv.ts'
import { isIn, numberColumns, toBaseline } from './board.ts'
import { lettersNote, SEEN, tuningNote } from './leaderboard.ts'
import { interval, quantity } from './numbers.ts'
import { confidence, type Standing, standingsOf } from './standings.ts'
import { latexTable, markdownTable, type TextTable } from './table-formats.ts'

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
  const rows = [...ranked, ...seen]
  const numbers = numberColumns(summary)
  const columns: readonly (readonly [string, (row: Standing) => CsvValue])[] = [
    ['kind', ({ kind }) => kind],
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['strategy', ({ strategy }) => strategy],
    ...summary.measures.flatMap((measure) =>
      (['mean', 'low', 'high', 'n'] as const).map(
        (part) =>
          [
            part === 'mean' ? measure : `${measure} ${part}`,
            ({ measures }: Standing) => measures[measure]?.[part],
          ] as const,
      ),
    ),
    ...[
      ...[numbers.tokens].filter(isIn(rows)),
      ...[numbers.modelCalls, numbers.fallbacks, numbers.failed, ...numbers.times],
    ].map(({ head, value }) => [head, value] as const),
    ['difference', ({ compared }) => compared?.difference],
    ['difference low', ({ compared }) => compared?.low],
    ['difference high', ({ compared }) => compared?.high],
    ['p', ({ compared }) => compared?.p],
    ['adjusted p', ({ compared }) => compared?.adjusted],
    ['verdict', ({ baseline, compared }) => (baseline ? 'baseline' : compared?.verdict)],
    ['optimism', ({ optimism }) => optimism],
  ]
  return csvTable(
    columns.map(([head]) => head),
    rows.map((row) => columns.map(([, value]) => value(row))),
  )
}

/** Every measure in percent, the primary one with its interval, tokens and the difference to the baseline. */
function textTable(summary: Summary, latency: Latency | null): TextTable {
  const { ranked, seen } = standingsOf(summary, latency)
  const { primary, measures } = summary
  const numbers = numberColumns(summary, 2)
  const quality = numbers.measure(primary)
  const others = [
    ...measures.filter((measure) => measure !== primary).map(numbers.measure),
    ...[numbers.tokens].filter(isIn([...ranked, ...seen])),
  ]
  const cells = (row: Standing) => {
    const { low, high } = row.measures[primary] ?? { low: null, high: null }
    const { letter, beats } = row.lettered ?? { letter: '', beats: '' }
    return [
      letter ? `${row.name} (${letter})` : row.name,
      `${quality.cell(row)}${raised(beats)} ${interval(low, high)}`.trim(),
      ...others.map(({ cell }) => cell(row)),
      toBaseline(row),
    ]
  }
  const parts =
    seen.length > 0
      ? [
          { title: 'Strategies, tuned', rows: ranked.map(cells) },
          { title: SEEN, rows: seen.map(cells) },
        ]
      : [{ title: '', rows: ranked.map(cells) }]
  const caption = `${summary.experiment}: percent, mean over ${quantity(ranked[0]?.measures[primary]?.n ?? 0)} queries, ${confidence(summary.comparison?.level)}intervals in brackets. ${lettersNote(summary)} ${tuningNote(summary.tuning, summary.trials.length)}`
  return {
    head: ['trial', primary, ...others.map(({ head }) => head), 'to baseline'],
    parts,
    caption: caption.replace(/ {2,}/g, ' ').trim(),
  }
}

export function leaderboardMarkdown(summary: Summary, latency: Latency | null): string {
  return markdownTable(textTable(summary, latency))
}

export function leaderboardLatex(summary: Summary, latency: Latency | null): string {
  return latexTable(textTable(summary, latency))
}
