// @ts-check
import { csvText } from './csv.js'
import { meta } from './data.js'
import { fileName, save, saveBlob } from './dom.js'
import { marksOf, tipsOf } from './tips.js'

/** @import {Cell, Row, VegaSpec} from './types.d.ts' */
/** @import {View} from 'vega' */

/** @typedef {{rows: Row[], titles?: {x: string, y: string}, view: View | null, room: number, onClick?: (row: Row) => void}} Drawn */

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
 * Pixels for a chart: its box's width, or of a view that is not shown the page's.
 * @param {HTMLElement} box
 */
function roomOf(box) {
  return box.clientWidth || document.getElementById('main')?.clientWidth || 640
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
  const room = roomOf(box)
  const narrow = room < NARROW
  /** @type {Drawn} */
  const chart = { rows, titles, view: null, room, onClick }
  drawn.set(id, chart)
  box.replaceChildren()
  if (rows.length === 0) return
  const width = widthOf(id, room, rows)
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
  view.tooltip(/** @type {import('vega').TooltipHandler} */ (tipsOf(box)))
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
  if (marksOf(box).length === 0) return
  box.tabIndex = 0
  box.setAttribute('role', 'application')
  box.setAttribute('aria-description', 'Arrow keys read the marks.')
}

/**
 * The room's width, or less where few cells or bars should not fill it.
 * @param {string} id
 * @param {number} room
 * @param {Row[]} rows
 */
function widthOf(id, room, rows) {
  const { cell } = meta.charts[id]
  if (!cell) return room
  const [across, labels] = 'place' in rows[0] ? ['place', 60] : ['x', 200]
  return Math.min(room, labels + cell * new Set(rows.map((row) => row[across])).size)
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

/** Draws the charts of the shown view, then the others while the page is idle, and all of them anew when the width changes. */
export async function drawAll() {
  const ids = Object.keys(meta.charts).filter((id) => meta.charts[id].columns)
  const isShown = (/** @type {string} */ id) => boxOf(id).clientWidth > 0
  for (const id of ids.filter(isShown)) await drawOnce(id)
  for (const id of ids) {
    if (drawn.has(id)) continue
    await new Promise((idle) => (globalThis.requestIdleCallback ?? setTimeout)(() => idle(undefined)))
    await drawOnce(id)
  }
  new ResizeObserver(fitAll).observe(document.documentElement)
}

/** @param {string} id */
async function drawOnce(id) {
  const { columns } = meta.charts[id]
  if (columns && !drawn.has(id)) await draw(id, rowsOf(columns))
}

/** Fits the charts of a view that is now shown, or draws them if they are not drawn yet. */
export function drawPending() {
  for (const [id, { columns }] of Object.entries(meta.charts))
    if (columns && !drawn.has(id) && boxOf(id).clientWidth > 0) drawOnce(id)
  fitAll()
}

function fitAll() {
  for (const [id, chart] of drawn) {
    const { rows, titles, onClick, view, room } = chart
    const now = boxOf(id).clientWidth
    if (now === 0 || now === room) continue
    if (room < NARROW === now < NARROW) {
      chart.room = now
      view?.width(widthOf(id, now, rows)).runAsync()
    } else draw(id, rows, { titles, onClick })
  }
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

/**
 * Saves a chart as it is drawn, with its colours, as SVG or as PNG at twice its size.
 * @param {string} id
 * @param {boolean} asPixels
 */
export async function savePicture(id, asPixels) {
  const drawnSvg = boxOf(id).querySelector('svg')
  if (!drawnSvg) return
  const { width, height } = drawnSvg.getBoundingClientRect()
  const copy = /** @type {SVGSVGElement} */ (drawnSvg.cloneNode(true))
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  const style = getComputedStyle(document.documentElement)
  const text = new XMLSerializer()
    .serializeToString(copy)
    .replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim())
  const name = fileName(`${meta.experiment}-${id}`)
  if (!asPixels) return save(`${name}.svg`, text, 'image/svg+xml')
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 2 * width, height: 2 * height })
  const context = canvas.getContext('2d')
  if (!context) return
  context.scale(2, 2)
  context.fillStyle = style.getPropertyValue('--paper').trim()
  context.fillRect(0, 0, width, height)
  context.drawImage(image, 0, 0, width, height)
  canvas.toBlob((blob) => blob && saveBlob(`${name}.png`, blob))
}
