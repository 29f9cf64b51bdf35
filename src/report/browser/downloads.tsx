import { type CsvValue, csvTable } from '../../text/csv.ts'
import { spreadColumns } from '../board.ts'
import { valueText } from '../grid-params.ts'
import { board, meta, queries, scoresOf, trials } from './data.ts'
import { fileName, save } from './files.ts'

/** CSV files of the page: label and text. */
export const DOWNLOADS: Readonly<Record<string, readonly [label: string, text: () => Promise<string>]>> = {
  trials: ['All trials (CSV)', trialsCsv],
  scores: ['Scores of every query (CSV)', scoresCsv],
}

export function Downloads() {
  return (
    <p class="tools">
      {Object.entries(DOWNLOADS).map(([name, [label, text]]) => (
        <button
          key={name}
          type="button"
          data-download={name}
          onClick={async () => save(`${fileName(meta.experiment, name)}.csv`, await text())}
        >
          {label}
        </button>
      ))}
    </p>
  )
}

async function trialsCsv(): Promise<string> {
  const { columns, ranked, seen } = await board()
  const rows = seen.length > 0 ? seen : ranked
  const names = [...new Set(rows.flatMap(({ params }) => Object.keys(params)))]
  const { heads, cellsOf } = spreadColumns(columns, rows)
  return csvTable(
    ['rank', 'id', 'name', 'strategy', ...names, ...heads],
    rows.map((row, place) => [
      place + 1,
      row.id,
      row.name,
      row.strategy,
      ...names.map((name) => (name in row.params ? valueText(row.params[name]) : null)),
      ...cellsOf(row),
    ]),
  )
}

/** A row per trial and query, a column per measure. */
async function scoresCsv(): Promise<string> {
  const [all, table] = await Promise.all([trials(), queries()])
  const { measures, trials: places } = meta.shape
  const rows: CsvValue[][] = []
  for (const trial of places) {
    const columns = await Promise.all(measures.map((measure) => scoresOf(trial, measure)))
    table.id.forEach((query, number) => {
      const scores = columns.map((column) => column[number])
      if (!Number.isNaN(scores[0])) rows.push([all[trial].name, query, table.category[number], ...scores])
    })
  }
  return csvTable(['trial', 'query', 'category', ...measures], rows)
}
