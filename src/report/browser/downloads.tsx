import { spreadColumns } from '../board.ts'
import { valueText } from '../grid-params.ts'
import { specOf } from './charts.tsx'
import { board, latex, meta, numbers, queries, scoresOf, texts, trials } from './data.ts'
import { csvText, fileName, save, saveJson } from './files.ts'
import type { Cell } from './types.d.ts'

const name = (part: string) => fileName(meta.experiment, part)

export const DOWNLOADS: Readonly<Record<string, readonly [label: string, run: () => Promise<void>]>> = {
  trials: ['All trials (CSV)', async () => save(`${name('trials')}.csv`, await trialsCsv())],
  scores: ['Scores of every query (CSV)', async () => save(`${name('scores')}.csv`, await scoresCsv())],
  latex: [
    'Leaderboard (LaTeX)',
    async () => save(`${name('leaderboard')}.tex`, await latex(), 'application/x-tex'),
  ],
  runs: [
    'Runs (TREC)',
    async () => {
      for (const [trial, text] of await trecRuns()) save(`${name(trial)}.trec`, text, 'text/plain')
    },
  ],
  specs: [
    'All Vega-Lite specs (JSON)',
    async () =>
      saveJson(
        `${name('specs')}.json`,
        Object.fromEntries(Object.keys(meta.charts).map((id) => [id, specOf(id)])),
      ),
  ],
}

export function Downloads() {
  return (
    <p class="tools">
      {Object.entries(DOWNLOADS).map(([what, [label, run]]) => (
        <button key={what} type="button" data-download={what} onClick={run}>
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
  return csvText(
    ['rank', 'id', 'name', 'strategy', ...names, ...heads],
    rows.map((row, place) => [
      place + 1,
      row.id,
      row.name,
      row.strategy,
      ...names.map((name) => (name in row.params ? valueText(row.params[name]) : '')),
      ...cellsOf(row),
    ]),
  )
}

/** A row per trial and query, a column per measure. */
async function scoresCsv(): Promise<string> {
  const [all, asked] = await Promise.all([trials(), queries()])
  const { measures, trials: places } = meta.shape
  const rows: Cell[][] = []
  for (const trial of places) {
    const columns = await Promise.all(measures.map((measure) => scoresOf(trial, measure)))
    asked.id.forEach((query, number) => {
      const scores = columns.map((column) => column[number])
      if (!Number.isNaN(scores[0])) rows.push([all[trial].name, query, asked.category[number], ...scores])
    })
  }
  return csvText(['trial', 'query', 'category', ...measures], rows)
}

/**
 * Each stored list as a TREC run, collapsed to judged ids. The score column counts down, since the page has scores to
 * a few digits, which could tie.
 */
async function trecRuns(): Promise<[trial: string, text: string][]> {
  const [all, asked, passages, chunks] = await Promise.all([trials(), queries(), texts(), numbers('chunks')])
  const { lists, ranks } = meta.shape
  return lists.map((trial, place) => {
    const tag = fileName(all[trial].name)
    const lines = asked.id.flatMap((query, number) => {
      const start = (place * asked.id.length + number) * ranks
      const found = [...chunks.slice(start, start + ranks)].filter((chunk) => chunk > 0)
      const ids = [...new Set(found.map((chunk) => passages.judged[chunk - 1]))]
      // The format separates by white space, so an id may hold none.
      return ids.map((id, rank) =>
        [query, 'Q0', id, rank + 1, ranks - rank, tag]
          .map((value) => String(value).replace(/\s+/g, '_'))
          .join(' '),
      )
    })
    return [tag, `${lines.join('\n')}\n`]
  })
}
