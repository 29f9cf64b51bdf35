// @ts-check
import { draw } from './charts.js'
import { meta, trials } from './data.js'
import { element, find } from './dom.js'

/** @import {Row, Trials} from './types.d.ts' */

const STEPS = 9

/** The heatmap over two params of a grid, as the selects above it say. */
export async function startGrid() {
  const [strategy, x, y, measure] = ['grid-strategy', 'grid-x', 'grid-y', 'grid-measure'].map((id) =>
    find(id, HTMLSelectElement),
  )
  if (!strategy || !x || !y || !measure) return
  const all = await trials()
  const fill = () => {
    const { params } = meta.grid[Number(strategy.value)]
    const options = [...params, ...(params.length > 1 ? [] : [''])]
    x.replaceChildren(...params.map((name) => element('option', { value: name }, name)))
    y.replaceChildren(...options.map((name) => element('option', { value: name }, name || '(none)')))
    y.value = options[1]
  }
  const show = async () => {
    const name = meta.grid[Number(strategy.value)].strategy
    const rows = heatRows(all, name, x.value, y.value, measure.value)
    const most = rows.reduce((a, row) => Math.max(a, Number(row.n)), 0)
    const values = rows.flatMap((row) => (row.value === null ? [] : [Number(row.value)]))
    const hatched = rows.length - values.length
    const caption = document.getElementById('grid-caption')
    const axes = y.value && y.value !== x.value ? `${x.value} (across) and ${y.value} (down)` : x.value
    if (caption)
      caption.textContent = `Mean ${measure.value} of ${name}${meta.counts.includes(measure.value) ? '' : ' in percent'} over ${axes}${values.length === 0 ? '.' : `: from ${meanText(measure.value, Math.min(...values))} to ${meanText(measure.value, Math.max(...values))}.`}${hatched > 0 ? ` ${hatched} of ${rows.length} cells are hatched: a race stopped all of their trials, the last after the queries printed there.` : ''} n = ${rows.reduce((sum, row) => sum + Number(row.n), 0)} trials, ${most === 1 ? 'one' : `up to ${most}`} per cell.`
    await draw('grid', rows, {
      titles: {
        x: y.value && y.value !== x.value ? `${y.value} ↓, ${x.value} →` : `${x.value} →`,
        y: '',
      },
    })
  }
  strategy.addEventListener('change', () => {
    fill()
    show()
  })
  for (const select of [x, y, measure]) select.addEventListener('change', show)
  measure.value = meta.primary
  fill()
  await show()
}

/**
 * One row a cell: the mean over the trials in it that were run on every query. Where a race stopped them all it is hatched,
 * with the most queries that any of them was run on.
 * @param {Trials} all
 * @param {string} strategy
 * @param {string} x
 * @param {string} y
 * @param {string} measure
 * @returns {Row[]}
 */
export function heatRows(all, strategy, x, y, measure) {
  /** @type {Map<string, {x: string, y: string, sum: number, n: number, whole: number, after: number}>} */
  const cells = new Map()
  all.strategy.forEach((name, place) => {
    const mean = all.means[measure][place]
    if (name !== strategy || mean === null) return
    const at = {
      x: valueText(all.varied[place][x]),
      y: y && y !== x ? valueText(all.varied[place][y]) : strategy,
    }
    const key = JSON.stringify(at)
    const cell = cells.get(key) ?? { ...at, sum: 0, n: 0, whole: 0, after: 0 }
    const after = all.stopped[place]
    if (after === null) {
      cell.sum += mean
      cell.whole++
    } else cell.after = Math.max(cell.after, after)
    cell.n++
    cells.set(key, cell)
  })
  const list = [...cells.values()].map((cell) => ({ ...cell, value: cell.sum / cell.whole }))
  const values = list.flatMap(({ whole, value }) => (whole > 0 ? [value] : []))
  const [low, high] = [Math.min(...values), Math.max(...values)]
  list.sort((a, b) => compareValues(a.y, b.y) || compareValues(a.x, b.x))
  return list.map((cell) => ({
    x: cell.x,
    y: cell.y,
    value: cell.whole > 0 ? cell.value : null,
    n: cell.n,
    text: cell.whole > 0 ? meanText(measure, cell.value) : `after ${cell.after}`,
    step: cell.whole > 0 ? stepOf(cell.value, low, high) : STEPS,
  }))
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function stepOf(value, low, high) {
  if (!(high > low)) return (STEPS - 1) / 2
  return Math.min(STEPS - 1, Math.floor((STEPS * (value - low)) / (high - low)))
}

/**
 * A share in percent, a count as it is.
 * @param {string} measure
 * @param {number} mean
 */
function meanText(measure, mean) {
  if (!meta.counts.includes(measure)) return (100 * mean).toFixed(1)
  return mean.toLocaleString('en', { maximumFractionDigits: mean < 100 ? 1 : 0 })
}

/** @param {unknown} value */
function valueText(value) {
  if (value === undefined) return 'default'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * @param {string} a
 * @param {string} b
 */
function compareValues(a, b) {
  const [x, y] = [Number(a), Number(b)]
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y
  return a < b ? -1 : a > b ? 1 : 0
}
