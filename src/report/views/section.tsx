import type { ComponentChildren } from 'preact'
import type { Chart } from '../charts/chart.ts'
import type { Block } from '../detail/encode.ts'

/** One part of the page. */
export interface PageSection {
  readonly id: string
  readonly title: string
  readonly body: ComponentChildren
  readonly charts: readonly Chart[]
  /** Data for the page's script by name: small values in `meta`, large ones in blocks. */
  readonly meta?: Readonly<Record<string, unknown>>
  readonly blocks?: Readonly<Record<string, Block>>
}

/** Per-query data in the page. */
export interface QueryData {
  /** Trials with stored scores, by index in `summary.trials`. */
  readonly trials: readonly { readonly value: string; readonly name: string }[]
  /** Omissions for size, in words. */
  readonly cuts: readonly string[]
}

/** A chart's place, which the page's script fills, and its caption. */
export function Figure({ chart: { id, above, caption } }: { readonly chart: Chart }) {
  return (
    <figure id={`fig-${id}`}>
      {above}
      <div class="chart" data-figure={id} />
      <figcaption>{caption}</figcaption>
    </figure>
  )
}
