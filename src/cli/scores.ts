import { formatC } from '../metrics/format.ts'
import type { RunScores } from '../metrics/score-run.ts'
import type { Asked } from '../metrics/trec-names.ts'

/** What `score` prints of runs: trec_eval's lines, a table, LaTeX or JSON. */
export interface ScoredRun {
  readonly file: string
  readonly name: string
  readonly scores: RunScores
}

export interface ScorePrinting {
  readonly asked: readonly Asked[]
  readonly decimals: number
  readonly perQuery: boolean
  /** Whether `runid` stands first, as in trec_eval's official list. */
  readonly runid: boolean
}

/** trec_eval's output of one run: `measure<TAB>query<TAB>value`, queries first where asked, then `all`. */
export function trecLines(
  { name, scores }: ScoredRun,
  { asked, decimals, perQuery, runid }: ScorePrinting,
): string {
  const lines: string[] = []
  const line = (label: string, query: string, value: string) =>
    lines.push(`${label.padEnd(22)}\t${query}\t${value}`)
  const print = (value: number, place: number) =>
    formatC(value, asked[place].measure.metric.mean === 'sum' ? 0 : decimals)
  if (perQuery)
    scores.queries.forEach((query, row) => {
      asked.forEach(({ label, measure: { metric } }, place) => {
        // trec_eval prints these for `all` only.
        if (metric.name !== 'num_q' && metric.mean !== 'geometric')
          line(label, query, print(scores.values[place][row], place))
      })
    })
  if (runid) line('runid', 'all', name)
  for (const [place, { label }] of asked.entries()) line(label, 'all', print(scores.means[place], place))
  return lines.join('\n')
}

/** One row a run. */
export function scoreGrid(runs: readonly ScoredRun[], { asked, decimals }: ScorePrinting): string[][] {
  return [
    ['run', ...asked.map(({ label }) => label)],
    ...runs.map(({ name, scores }) => [
      name,
      ...scores.means.map((mean, place) =>
        formatC(mean, asked[place].measure.metric.mean === 'sum' ? 0 : decimals),
      ),
    ]),
  ]
}

/** Means and, where asked, every query's values, at full precision. */
export function scoreJson(runs: readonly ScoredRun[], { asked, perQuery }: ScorePrinting): unknown[] {
  const named = (values: (place: number) => number) =>
    Object.fromEntries(asked.map(({ label }, place) => [label, values(place)]))
  return runs.map(({ file, name, scores }) => ({
    file,
    run: name,
    queries: scores.queries.length,
    missing: scores.missing,
    unjudged: scores.unjudged,
    measures: named((place) => scores.means[place]),
    ...(perQuery
      ? {
          perQuery: Object.fromEntries(
            scores.queries.map((query, row) => [query, named((place) => scores.values[place][row])]),
          ),
        }
      : {}),
  }))
}
