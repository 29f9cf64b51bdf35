import { meta } from './data.ts'
import type { Row, Trials } from './types.d.ts'

const STEPS = 9

/** One row a cell: the mean over the trials in it. */
export function heatRows(all: Trials, strategy: string, x: string, y: string, measure: string): Row[] {
  const cells = new Map<string, { x: string; y: string; sum: number; n: number }>()
  all.strategy.forEach((name, place) => {
    const mean = all.means[measure][place]
    if (name !== strategy || mean === null) return
    const at = {
      x: valueText(all.varied[place][x]),
      y: y && y !== x ? valueText(all.varied[place][y]) : strategy,
    }
    const key = JSON.stringify(at)
    const cell = cells.get(key) ?? { ...at, sum: 0, n: 0 }
    cell.sum += mean
    cell.n++
    cells.set(key, cell)
  })
  const list = [...cells.values()].map((cell) => ({ ...cell, value: cell.sum / cell.n }))
  const values = list.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  list.sort((a, b) => compareValues(a.y, b.y) || compareValues(a.x, b.x))
  return list.map(({ x, y, value, n }) => ({
    x,
    y,
    n,
    value,
    text: meanText(measure, value),
    step: stepOf(value, low, high),
  }))
}

function stepOf(value: number, low: number, high: number): number {
  if (!(high > low)) return (STEPS - 1) / 2
  return Math.min(STEPS - 1, Math.floor((STEPS * (value - low)) / (high - low)))
}

/** A share in percent, a count as it is. */
export function meanText(measure: string, mean: number): string {
  if (!meta.counts.includes(measure)) return (100 * mean).toFixed(1)
  return mean.toLocaleString('en', { maximumFractionDigits: mean < 100 ? 1 : 0 })
}

function valueText(value: unknown): string {
  if (value === undefined) return 'default'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function compareValues(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)]
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y
  return a < b ? -1 : a > b ? 1 : 0
}
