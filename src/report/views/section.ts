import type { Chart } from '../charts/chart.ts'
import { marksOf, SHAPES, type StrategyMark } from '../charts/strategy-marks.ts'
import { heatAt } from '../charts/theme.ts'
import type { Block } from '../detail/encode.ts'
import { type Html, html, markup } from '../html.ts'

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

/** A chart with its caption, data as CSV and spec. The script draws into the empty box. */
export function figure(chart: Chart): Html {
  return html`<figure id="fig-${chart.id}">
${chart.above}
<div class="plot" data-chart="${chart.id}" role="img" aria-label="${chart.label}"></div>
<figcaption>${chart.caption}</figcaption>
<p class="tools"><button type="button" data-csv-of-chart="${chart.id}">Data (CSV)</button> <button type="button" data-spec-of-chart="${chart.id}">Vega-Lite</button></p>
</figure>`
}

export interface TableColumn<R> {
  readonly head: string
  /** A second, smaller line of the head. */
  readonly note?: string
  /** Explanation of the head, on hover. */
  readonly title?: string
  readonly text?: true
  readonly cell: (row: R, index: number) => Html | string | number | null
  /** Exact value for CSV and sorting, if the cell rounds it. */
  readonly value?: (row: R, index: number) => string | number | null
}

export interface TableParts<R> {
  readonly id: string
  readonly caption: Html
  readonly columns: readonly TableColumn<R>[]
  readonly rows: readonly R[]
  /** Number of rows shown before "show all". */
  readonly shown?: number
  readonly sortable?: boolean
  readonly rowClass?: (row: R, index: number) => string
}

/** Tables of at most so many columns are only as wide as needed. */
const NARROW = 3

/** A table with its caption and its data as CSV. */
export function htmlTable<R>({
  id,
  caption,
  columns,
  rows,
  shown = Number.POSITIVE_INFINITY,
  sortable = false,
  rowClass,
}: TableParts<R>): Html {
  const head = columns.map(({ head, note, title, text }) => {
    const label =
      sortable && head !== ''
        ? html`<button type="button" class="sort">${breakable(head)}</button>`
        : breakable(head)
    return html`<th scope="col"${text ? markup(' class="text"') : null}${title === undefined ? null : html` title="${title}"`}>${label}${note === undefined ? null : html`<small>${note}</small>`}</th>`
  })
  const body = rows.map((row, index) => {
    const cells = columns.map((column, at) => {
      const value = column.value?.(row, index)
      const data = column.value ? html` data-v="${value ?? ''}"` : null
      const kind = column.text ? markup(' class="text"') : null
      const cell = column.cell(row, index)
      return at === 0
        ? html`<th scope="row"${kind}${data}>${typeof cell === 'string' ? breakable(cell) : cell}</th>`
        : html`<td${kind}${data}>${cell}</td>`
    })
    const name = [rowClass?.(row, index), index >= shown ? 'folded' : ''].filter(Boolean).join(' ')
    return html`<tr${name ? html` class="${name}"` : null}>${cells}</tr>\n`
  })
  const more =
    rows.length > shown
      ? html` <button type="button" data-unfold="${id}">Show all ${rows.length}</button>`
      : null
  return html`<div class="${columns.length > NARROW ? 'table' : 'table narrow'}" id="${id}"><p class="caption" id="${id}-caption">${caption}</p>
<div class="scroll" tabindex="0" role="group" aria-labelledby="${id}-caption"><table><thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table></div>
<p class="tools"><button type="button" data-csv-of-table="${id}">Data (CSV)</button>${more}</p></div>`
}

/** Allows line breaks before a cutoff (recall | @1000tok) and after equals signs. */
export function breakable(text: string): Html {
  return html`${text.split(/(?=@)|(?<==)/).map((part, index) => html`${index > 0 ? html`<wbr>` : null}${part}`)}`
}

/** Key of the strategies' colours and shapes. */
export function key(strategies: readonly string[]): Html {
  const marks = marksOf(strategies)
  return html`<ul class="key">${strategies.map((name) => html`<li>${strategyMark(marks.get(name))}<span>${name}</span></li>`)}</ul>`
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

/** A labelled select. */
export function choice(
  id: string,
  label: string,
  options: readonly { readonly value: string; readonly name: string }[],
): Html {
  return html`<label>${label} <select id="${id}">${options.map(({ value, name }) => html`<option value="${value}">${name}</option>`)}</select></label>`
}
