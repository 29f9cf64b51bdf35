import type { ComponentChildren } from 'preact'
import type { Results } from '../../results/read.ts'
import type { Board } from '../board.ts'
import type { Chart } from '../charts/chart.ts'

export interface PageSection {
  readonly id: string
  readonly title: string
  readonly body: ComponentChildren
  readonly charts: readonly Chart[]
  /** For the page's script. */
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface PageData extends Results {
  readonly board: Board
  /** Indexes of representatives, best first. */
  readonly chosen: readonly number[]
  /** Omissions of per-query data for size. */
  readonly cuts: readonly string[]
}

/** Place of a chart, with its caption. */
export function Figure({ chart: { id, above, caption } }: { readonly chart: Chart }) {
  return (
    <figure id={`fig-${id}`}>
      {above}
      <div class="chart" data-figure={id} />
      <figcaption>{caption}</figcaption>
    </figure>
  )
}
