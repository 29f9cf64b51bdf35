import type { Latency, TrialLatency } from '../../results/latency.ts'
import type { Percentile } from '../../statistics/percentile.ts'
import { type Html, html } from '../html.ts'
import { latencyNotes } from '../latency-notes.ts'
import { milliseconds, quantity } from '../numbers.ts'
import { table } from './section.ts'

export function latencyTable(latency: Latency): Html {
  const time = (of: 'p50' | 'p95' | 'p99') => ({
    head: `${of} ms`,
    cell: (row: TrialLatency) =>
      html`${milliseconds(row[of].value)} <span class="interval">${bounds(row[of])}</span>`,
    value: (row: TrialLatency) => row[of].value,
  })
  const repeated = (of: 'p50' | 'p95') => ({
    head: `${of} by repeat`,
    note: 'lowest to highest',
    cell: ({ byRepeat }: TrialLatency) =>
      `${milliseconds(byRepeat[of][0])} to ${milliseconds(byRepeat[of][1])}`,
    value: ({ byRepeat }: TrialLatency) => byRepeat[of][1] / byRepeat[of][0],
  })
  return table<TrialLatency>({
    id: 'latency',
    caption: html`Milliseconds a query, one query at a time after a warm-up, nothing shared between trials; each query by the median of its repeats. Brackets are intervals by order statistics over the queries; … is an end that so few queries cannot bound. Cold: the first query, with indexes that were not open yet, timed once. ${latencyNotes(latency).join(' ')}`,
    columns: [
      { head: 'trial', text: true, cell: ({ name }) => name },
      time('p50'),
      time('p95'),
      time('p99'),
      ...(latency.trials.some(({ repeats }) => repeats > 1) ? [repeated('p50'), repeated('p95')] : []),
      { head: 'cold ms', cell: ({ cold }) => milliseconds(cold), value: ({ cold }) => cold },
      {
        head: 'n',
        title: 'queries × repeats',
        cell: ({ queries, repeats }) => `${quantity(queries)} × ${repeats}`,
      },
    ],
    rows: latency.trials,
  })
}

function bounds({ low, high }: Percentile): string {
  return `[${low === null ? '…' : milliseconds(low)}, ${high === null ? '…' : milliseconds(high)}]`
}
