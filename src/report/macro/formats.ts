import type { MacroSummary } from '../../results/macro.ts'
import { csvTable } from '../../text/csv.ts'
import { toBaseline } from '../board.ts'
import { interval, percent } from '../numbers.ts'
import { latexTable, markdownTable, type TextTable } from '../table-formats.ts'
import { boardOf, comparisonNote, datasetsInWords, macroNote, tuningInWords } from './board.ts'

/** `leaderboard --json`: the file itself, rows best first. */
export function macroJson(macro: MacroSummary) {
  return {
    ...macro,
    rows: boardOf(macro).map(({ baseline: _, compared: __, ...row }) => row),
  }
}

/** One line a (row, data set, measure), full precision; the macro mean stands as a data set with an empty name. */
export function macroCsv(macro: MacroSummary): string {
  const { datasets, measures, primary, kind } = macro
  const header = ['kind', 'id', 'name', 'strategy', 'dataset', 'measure', 'mean', 'low', 'high', 'n']
  header.push('difference', 'difference low', 'difference high', 'p', 'adjusted p', 'verdict')
  const lines = boardOf(macro).flatMap(
    ({ id, name, strategy, datasets: own, macro: whole, compared, baseline }) => {
      const line = (
        dataset: string | null,
        found: typeof whole,
        measure: string,
        tested: readonly (string | number | null)[],
      ) => {
        const estimate = found?.[measure]
        const { mean, low, high, n } = estimate ?? { mean: null, low: null, high: null, n: null }
        return [kind, id, name, strategy, dataset, measure, mean, low, high, n, ...tested]
      }
      return measures.flatMap((measure) => [
        ...datasets.map((dataset, place) => {
          const part = measure === primary ? compared?.datasets[place] : undefined
          return line(dataset.name, own[place], measure, [
            part && part.n > 0 ? part.difference : null,
            ...[null, null, null, null],
            part?.verdict ?? null,
          ])
        }),
        line(
          null,
          whole,
          measure,
          measure !== primary
            ? []
            : compared
              ? [
                  compared.difference,
                  compared.low,
                  compared.high,
                  compared.p,
                  compared.adjusted,
                  compared.verdict,
                ]
              : [null, null, null, null, null, baseline ? 'baseline' : null],
        ),
      ])
    },
  )
  return csvTable(
    header,
    lines.map((line) => header.map((_, place) => line[place])),
  )
}

export function macroMarkdown(macro: MacroSummary): string {
  return markdownTable(textTable(macro))
}

/** A booktabs table. */
export function macroLatex(macro: MacroSummary): string {
  return latexTable(textTable(macro))
}

function textTable(macro: MacroSummary): TextTable {
  const { datasets, primary, kind, experiment } = macro
  const rows = boardOf(macro).map((row) => {
    const { mean, low, high } = row.macro?.[primary] ?? { mean: null, low: null, high: null }
    return [
      row.name,
      ...datasets.map((_, place) => percent(row.datasets[place]?.[primary]?.mean, 2)),
      `${percent(mean, 2)} ${interval(low, high)}`.trim(),
      toBaseline(row),
    ]
  })
  const caption = [
    `${experiment}: ${primary} in percent. Datasets: ${datasetsInWords(macro)}.`,
    macroNote(macro),
    tuningInWords(macro),
    comparisonNote(macro),
  ]
  return {
    head: [
      kind === 'tuned' ? 'strategy' : 'trial',
      ...datasets.map(({ name }) => name),
      'macro mean',
      'to baseline',
    ],
    parts: [{ title: '', rows }],
    caption: caption.filter(Boolean).join(' '),
  }
}
