// @ts-check
import { csvText } from './csv.js'
import { meta } from './data.js'
import { fileName, save } from './dom.js'

/** @import {Cell, Row, VegaSpec} from './types.d.ts' */
/** @import {View} from 'vega' */

/** @typedef {{rows: Row[], titles?: {x: string, y: string}, view: View | null, narrow: boolean, onClick?: (row: Row) => void}} Drawn */

/** @type {Map<string, Drawn>} */
const drawn = new Map()

/** Under this width labels get less room. */
const NARROW = 560

/** @param {string} id */
function boxOf(id) {
  const box = document.querySelector(`[data-chart="${CSS.escape(id)}"]`)
  if (!(box instanceof HTMLElement)) throw new Error(`no box for the chart ${id}`)
  return box
}

/**
 * Draws a chart, or draws it again with other rows. Vega interprets its expressions (no code is made), as the page's
 * policy demands.
 * @param {string} id
 * @param {Row[]} rows
 * @param {{titles?: {x: string, y: string}, onClick?: (row: Row) => void}} [options]
 */
export async function draw(id, rows, { titles, onClick } = {}) {
  const box = boxOf(id)
  drawn.get(id)?.view?.finalize()
  const narrow = box.clientWidth < NARROW
  /** @type {Drawn} */
  const chart = { rows, titles, view: null, narrow, onClick }
  drawn.set(id, chart)
  box.replaceChildren()
  if (rows.length === 0) return
  const width = widthOf(id, box, rows)
  const { cell, vega: whole } = meta.charts[id]
  const heads = cell && 'x' in rows[0] ? [...new Set(rows.map(({ x }) => String(x)))] : []
  const longest = heads.reduce((most, { length }) => Math.max(most, length), 0)
  const crowded = (width - 130) / heads.length < 6.2 * longest
  const spec = fitted(whole, narrow, crowded, titles)
  const runtime = vega.parse(/** @type {import('vega').Spec} */ (spec), undefined, { ast: true })
  const options = {
    expr: vegaInterpreter.expressionInterpreter,
    renderer: 'svg',
    container: box,
    hover: false,
    logLevel: vega.Warn,
  }
  const view = new vega.View(runtime, /** @type {import('vega').ViewOptions} */ (options))
  chart.view = view
  // Vega adds its own marks to the rows it is given.
  view.data(
    'rows',
    rows.map((row) => ({ ...row })),
  )
  view.width(width)
  if (onClick)
    view.addEventListener('click', (_, item) => item?.datum && onClick(/** @type {Row} */ (item.datum)))
  await view.runAsync()
  // The box says in words what the picture shows.
  box.querySelector('svg')?.setAttribute('aria-hidden', 'true')
}

/**
 * The box's width, or less where few cells or bars should not fill it.
 * @param {string} id
 * @param {HTMLElement} box
 * @param {Row[]} rows
 */
function widthOf(id, box, rows) {
  const { cell } = meta.charts[id]
  if (!cell) return box.clientWidth
  const [across, labels] = 'place' in rows[0] ? ['place', 60] : ['x', 200]
  return Math.min(box.clientWidth, labels + cell * new Set(rows.map((row) => row[across])).size)
}

/**
 * The spec with titles filled in and room for labels as the width allows.
 * @param {VegaSpec} spec
 * @param {boolean} narrow
 * @param {boolean} crowded labels on top have no room side by side
 * @param {{x: string, y: string}} [titles]
 */
function fitted(spec, narrow, crowded, titles) {
  const copy = structuredClone(spec)
  for (const axis of copy.axes ?? []) {
    const side = axis.orient === 'left' || axis.orient === 'right'
    if (titles && axis.title !== undefined) axis.title = side ? titles.y : titles.x
    if (side && narrow) axis.labelLimit = 104
    if (axis.orient === 'top' && crowded)
      Object.assign(axis, {
        labelAngle: -55,
        labelAlign: 'left',
        labelBaseline: 'middle',
        labelOverlap: false,
        labelLimit: 90,
      })
  }
  return copy
}

/** Draws every chart whose rows are in the page, and all of them anew when the page's width changes. */
export async function drawAll() {
  for (const [id, { columns }] of Object.entries(meta.charts)) if (columns) await draw(id, rowsOf(columns))
  let width = document.documentElement.clientWidth
  new ResizeObserver(() => {
    const now = document.documentElement.clientWidth
    if (now === width) return
    width = now
    for (const [id, { rows, titles, onClick, view, narrow }] of drawn) {
      const box = boxOf(id)
      if (narrow === box.clientWidth < NARROW) view?.width(widthOf(id, box, rows)).runAsync()
      else draw(id, rows, { titles, onClick })
    }
  }).observe(document.documentElement)
}

/**
 * @param {Record<string, readonly Cell[]>} columns
 * @returns {Row[]}
 */
function rowsOf(columns) {
  const names = Object.keys(columns)
  const [first = []] = Object.values(columns)
  return first.map((_, place) => Object.fromEntries(names.map((name) => [name, columns[name][place]])))
}

/** @param {string} id */
export function saveChartData(id) {
  const rows = drawn.get(id)?.rows ?? []
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  save(
    `${fileName(`${meta.experiment}-${id}`)}.csv`,
    csvText(
      header,
      rows.map((row) => header.map((name) => row[name])),
    ),
  )
}

/**
 * A chart's Vega-Lite spec with its data inside; the page's colours as they are now.
 * @param {string} id
 */
export function specOf(id) {
  const style = getComputedStyle(document.documentElement)
  const text = JSON.stringify({
    ...meta.charts[id].vegaLite,
    data: { name: 'rows', values: drawn.get(id)?.rows ?? [] },
  })
  return JSON.parse(text.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim()))
}
