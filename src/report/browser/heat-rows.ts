import { type Board, numberAt, trialsOf } from '../board.ts'
import { heatStep } from '../charts/theme.ts'
import { compareValues, valueText } from '../grid-params.ts'
import { formatted } from '../numbers.ts'
import type { Row } from './types.d.ts'

/** A row per cell: the mean over its trials. */
export function heatRows(board: Board, strategy: string, x: string, y: string, column: number): Row[] {
  const cells = new Map<string, { x: string; y: string; sum: number; n: number }>()
  for (const trial of trialsOf(board)) {
    const mean = numberAt(board.columns[column], trial)
    if (trial.strategy !== strategy || mean === null) continue
    const at = { x: valueText(trial.params[x]), y: y && y !== x ? valueText(trial.params[y]) : strategy }
    const key = JSON.stringify(at)
    const cell = cells.get(key) ?? { ...at, sum: 0, n: 0 }
    cell.sum += mean
    cell.n++
    cells.set(key, cell)
  }
  const list = [...cells.values()].map((cell) => ({ ...cell, value: cell.sum / cell.n }))
  const values = list.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  list.sort((a, b) => compareValues(a.y, b.y) || compareValues(a.x, b.x))
  return list.map(({ x, y, value, n }) => ({
    x,
    y,
    n,
    value,
    text: formatted(value, board.columns[column].format),
    step: heatStep(value, low, high),
  }))
}
