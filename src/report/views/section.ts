import type { Chart } from '../charts/chart.ts'
import { marksOf, SHAPES, type StrategyMark } from '../charts/strategy-marks.ts'
import { heatAt } from '../charts/theme.ts'
import type { Block } from '../detail/encode.ts'
import { type Html, html } from '../html.ts'

/** One part of the page. */
export interface PageSection {
  readonly id: string
  readonly title: string
  readonly body: Html
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
export function figure(chart: Chart): Html {
  return html`<figure id="fig-${chart.id}">
${chart.above}
<div class="chart" data-figure="${chart.id}"></div>
<figcaption>${chart.caption}</figcaption>
</figure>`
}

/** Key of the colours and shapes of the strategies that a chart shows. */
export function key(strategies: readonly string[], shown: readonly { readonly strategy: string }[]): Html {
  const marks = marksOf(strategies)
  const names = strategies.filter((name) => shown.some(({ strategy }) => strategy === name))
  return html`<ul class="key">${names.map((name) => html`<li>${strategyMark(marks.get(name))}<span>${name}</span></li>`)}</ul>`
}

/** A strategy's mark as SVG; null without one. */
export function strategyMark(mark: StrategyMark | undefined): Html | null {
  return (
    (mark &&
      html`<svg class="mark hue-${mark.hue}" viewBox="-6 -6 12 12" aria-hidden="true"><path d="${mark.shape.path}"/></svg>`) ??
    null
  )
}

const SQUARE = SHAPES[1].path

/** Key of ordered entries, coloured as by `heatAt`, each with an explanation. */
export function orderedKey(entries: readonly { readonly name: string; readonly words: string }[]): Html {
  return html`<ul class="key explained">${entries.map(
    ({ name, words }, index) =>
      html`<li><svg class="mark heat-${heatAt(index, entries.length)}" viewBox="-6 -6 12 12" aria-hidden="true"><path d="${SQUARE}"/></svg><span><b>${name}</b>: ${words}.</span></li>`,
  )}</ul>`
}
