import type { ChartRow, ChartSpec } from './chart.ts'
import { colour, shape } from './strategy-marks.ts'
import { FAINT } from './theme.ts'

export interface ParetoPoint {
  readonly name: string
  readonly strategy: string
  readonly x: number
  readonly y: number
  readonly low: number
  readonly high: number
  /** True for the representative of a strategy, drawn with interval and name. */
  readonly chosen: boolean
  /** Interval of x, if it has one. */
  readonly xLow?: number | null
  readonly xHigh?: number | null
}

/** Pareto front (low x, high y), sorted by x. */
export function frontOf<T extends { readonly x: number; readonly y: number }>(candidates: readonly T[]): T[] {
  const front: T[] = []
  for (const candidate of [...candidates].sort((a, b) => a.x - b.x || b.y - a.y))
    if (front.length === 0 || candidate.y > front[front.length - 1].y) front.push(candidate)
  return front
}

/** Rows of the chart: every candidate, with flags for the front and for a label without overlap. */
export function paretoRows(candidates: readonly ParetoPoint[]): ChartRow[] {
  const front = new Set(frontOf(candidates))
  const xs = candidates.map(({ x }) => x)
  const across = isWide(xs) ? Math.log : (x: number) => x
  const [left, right] = extent(xs.map(across))
  const [bottom, top] = extent(candidates.flatMap(({ low, high, chosen, y }) => (chosen ? [low, high] : [y])))
  const intervals = candidates.some(({ chosen, xLow, xHigh }) => chosen && xLow != null && xHigh != null)
  const placed: ParetoPoint[] = []
  const crowded = (a: ParetoPoint) =>
    placed.some(
      (b) =>
        Math.abs(across(a.x) - across(b.x)) < 0.18 * (right - left) &&
        Math.abs(a.y - b.y) < 0.05 * (top - bottom),
    )
  return candidates.map((candidate) => {
    const { name, strategy, x, y, low, high, chosen, xLow, xHigh } = candidate
    const named = chosen && !crowded(candidate)
    if (named) placed.push(candidate)
    const side = across(x) > left + 0.6 * (right - left) ? 'right' : 'left'
    return {
      name,
      strategy,
      x,
      y,
      // Only representatives of a strategy show an interval.
      low: chosen ? low : y,
      high: chosen ? high : y,
      chosen,
      front: front.has(candidate),
      label: named ? strategy : '',
      side,
      ...(intervals ? { xLow: xLow ?? null, xHigh: xHigh ?? null } : {}),
    }
  })
}

/** Quality against a cost: points by strategy, intervals of those that stand for one, a step line for the front. */
export function paretoSpec(
  strategies: readonly string[],
  rows: readonly ChartRow[],
  titles: { readonly x: string; readonly y: string },
  /** Number format of x, without an exponent. */
  format: string,
): ChartSpec {
  const x = {
    field: 'x',
    type: 'quantitative',
    scale: isWide(rows.map((row) => Number(row.x)))
      ? { type: 'log', nice: false, padding: 24 }
      : { zero: false, nice: true, padding: 14 },
    axis: {
      title: `${titles.x} →`,
      grid: false,
      tickCount: 5,
      format,
      labelOverlap: 'greedy',
      labelSeparation: 10,
    },
  }
  const y = {
    field: 'y',
    type: 'quantitative',
    scale: { zero: false },
    axis: { title: `↑ ${titles.y}`, format: '.0%', tickCount: 6 },
  }
  return {
    height: 300,
    layer: [
      {
        transform: [{ filter: 'datum.front' }],
        mark: { type: 'line', interpolate: 'step-after', color: FAINT, strokeWidth: 1, strokeDash: [4, 3] },
        encoding: { x, y, order: { field: 'x', type: 'quantitative' } },
      },
      {
        mark: { type: 'rule', strokeWidth: 1, opacity: 0.6 },
        encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, color: colour(strategies) },
      },
      ...(rows.some(({ xLow }) => xLow !== undefined)
        ? [
            {
              transform: [{ filter: 'datum.chosen && datum.xLow != null && datum.xHigh != null' }],
              mark: { type: 'rule', strokeWidth: 1, opacity: 0.6 },
              encoding: { x: { ...x, field: 'xLow' }, x2: { field: 'xHigh' }, y, color: colour(strategies) },
            },
          ]
        : []),
      {
        mark: { type: 'point', size: 70 },
        encoding: {
          x,
          y,
          color: colour(strategies),
          shape: shape(strategies),
          opacity: { condition: { test: 'datum.chosen', value: 1 }, value: 0.45 },
          tooltip: [
            { field: 'name', title: 'trial' },
            { field: 'y', title: titles.y, format: '.1%' },
            { field: 'x', title: titles.x, format },
          ],
        },
      },
      {
        mark: {
          type: 'text',
          align: { expr: 'datum.side' },
          dx: { expr: "datum.side == 'left' ? 7 : -7" },
          dy: -8,
          fontSize: 11,
          limit: 130,
          // Narrow charts omit names; the key above lists them.
          opacity: { expr: 'width < 480 ? 0 : 1' },
          stroke: 'var(--paper)',
          strokeWidth: 3,
        },
        encoding: { x, y, text: { field: 'label' } },
      },
    ],
  }
}

/** True if costs differ so much that the axis is logarithmic. */
function isWide(xs: readonly number[]): boolean {
  const [left, right] = extent(xs)
  return left > 0 && right / left > 8
}

function extent(values: readonly number[]): [number, number] {
  return [
    values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  ]
}
