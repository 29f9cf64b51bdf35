import type { ComponentChildren } from 'preact'
import type { Chart } from '../charts/chart.ts'
import type { Block } from '../detail/encode.ts'

export interface PageSection {
  readonly id: string
  readonly title: string
  readonly body: ComponentChildren
  readonly charts: readonly Chart[]
  /** For the page's script: small values in `meta`, large ones in blocks. */
  readonly meta?: Readonly<Record<string, unknown>>
  readonly blocks?: Readonly<Record<string, Block>>
}

export interface QueryData {
  readonly trials: readonly { readonly value: string; readonly name: string }[]
  /** Omissions for size. */
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
