import { type Board, endsAt, numberAt, trialsOf } from '../board.ts'
import { colour, shape } from '../components/strategy-marks.tsx'
import type { ChartRow, ChartSpec } from './chart.ts'
import { FAINT } from './theme.ts'

export interface ParetoPoint {
  readonly name: string
  readonly strategy: string
  readonly x: number
  readonly y: number
  readonly low: number
  readonly high: number
  /** True for a strategy's representative, drawn with interval and name. */
  readonly chosen: boolean
  readonly xLow?: number | null
  readonly xHigh?: number | null
}

/** Representatives first, then the best. `chosen` are indexes of trials. */
export function paretoPoints(board: Board, column: number, chosen: readonly number[]): ParetoPoint[] {
  const [primary] = board.columns
  const cost = board.columns[column]
  return trialsOf(board)
    .flatMap((row): ParetoPoint[] => {
      const [x, y] = [numberAt(cost, row), numberAt(primary, row)]
      if (x === null || y === null) return []
      const [low, high] = endsAt(primary, row) ?? [y, y]
      const [xLow, xHigh] = endsAt(cost, row) ?? [null, null]
      const { name, strategy, trial } = row
      return [{ name, strategy, x, y, low, high, chosen: chosen.includes(trial), xLow, xHigh }]
    })
    .sort((a, b) => Number(b.chosen) - Number(a.chosen) || b.y - a.y)
}

/** Pareto front (low x, high y), sorted by x. */
export function frontOf<T extends { readonly x: number; readonly y: number }>(candidates: readonly T[]): T[] {
  const front: T[] = []
  for (const candidate of [...candidates].sort((a, b) => a.x - b.x || b.y - a.y))
    if (front.length === 0 || candidate.y > front[front.length - 1].y) front.push(candidate)
  return front
}

/** Pixels: chart, distance of labels, narrowest chart with labels. */
const [HEIGHT, LABEL_HEIGHT, NARROWEST] = [300, 14, 480]
/** Pixels of a character, and from a point to its label. */
const [CHARACTER, GAP] = [6.4, 20]

/** Rows with the front's flags and labels that do not overlap. */
export function paretoRows(candidates: readonly ParetoPoint[]): ChartRow[] {
  const front = frontOf(candidates)
  const xs = candidates.map(({ x }) => x)
  const across = isWide(xs) ? Math.log : (x: number) => x
  const [left, right] = extent(xs.map(across))
  const share = (x: number) => (right > left ? (across(x) - left) / (right - left) : 0)
  const labelled = candidates.filter(({ chosen }) => chosen)
  const domain = verticalDomain(candidates)
  const places = new Map(
    placeLabels(
      labelled.map(({ strategy, x, y }) => {
        const width = (CHARACTER * strategy.length + GAP) / NARROWEST
        const at = share(x)
        return {
          y: (HEIGHT * (domain[1] - y)) / (domain[1] - domain[0]),
          from: at > TURN ? at - width : at,
          to: at > TURN ? at : at + width,
        }
      }),
    ).map((y, place) => [labelled[place], domain[1] - (y * (domain[1] - domain[0])) / HEIGHT]),
  )
  const intervals = candidates.some(({ chosen, xLow, xHigh }) => chosen && xLow != null && xHigh != null)
  return candidates.map((candidate) => {
    const { name, strategy, x, y, low, high, chosen, xLow, xHigh } = candidate
    return {
      name,
      strategy,
      x,
      y,
      low: chosen ? low : y,
      high: chosen ? high : y,
      chosen,
      front: front.includes(candidate),
      last: candidate === front.at(-1),
      label: chosen ? strategy : '',
      labelY: places.get(candidate) ?? null,
      side: share(x) > TURN ? 'right' : 'left',
      ...(intervals ? { xLow: xLow ?? null, xHigh: xHigh ?? null } : {}),
    }
  })
}

/** Share of the width beyond which labels are at the left. */
const TURN = 0.6

/** Range of y with a margin. */
function verticalDomain(candidates: readonly ParetoPoint[]): [number, number] {
  const [bottom, top] = extent(candidates.flatMap(({ low, high, chosen, y }) => (chosen ? [low, high] : [y])))
  const room = 0.04 * (top - bottom) || 0.01
  return [bottom - room, top + room]
}

/**
 * Heights of labels in pixels, each as near to its point as it overlaps no earlier one. `from` and `to` are
 * horizontal ends.
 */
function placeLabels(
  labels: readonly { readonly y: number; readonly from: number; readonly to: number }[],
): number[] {
  const placed: { readonly y: number; readonly from: number; readonly to: number }[] = []
  const [top, bottom] = [LABEL_HEIGHT / 2, HEIGHT - LABEL_HEIGHT / 2]
  for (const label of labels) {
    const others = placed.filter(({ from, to }) => from < label.to && label.from < to)
    const isFree = (y: number) =>
      y >= top && y <= bottom && others.every((other) => Math.abs(other.y - y) >= LABEL_HEIGHT)
    const wanted = Math.min(bottom, Math.max(top, label.y))
    // Free places are the wanted height or touch another label.
    const free = [wanted, ...others.flatMap(({ y }) => [y - LABEL_HEIGHT, y + LABEL_HEIGHT])].filter(isFree)
    const nearest = free.reduce(
      (best, y) => (Math.abs(y - wanted) < Math.abs(best - wanted) ? y : best),
      free[0] ?? wanted,
    )
    placed.push({ ...label, y: nearest })
  }
  return placed.map(({ y }) => y)
}

export function paretoSpec(
  strategies: readonly string[],
  rows: readonly ChartRow[],
  titles: { readonly x: string; readonly y: string },
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
    scale: { domain: domainOf(rows), nice: false, zero: false },
    axis: { title: `↑ ${titles.y}`, format: '.0%', tickCount: 6 },
  }
  const color = colour(strategies)
  const interval = { type: 'rule', strokeWidth: 1, opacity: 0.6 }
  const front = { color: FAINT, strokeWidth: 1, strokeDash: [4, 3] }
  return {
    height: HEIGHT,
    encoding: { x, y },
    layer: [
      {
        transform: [{ filter: 'datum.front' }],
        mark: { type: 'line', interpolate: 'step-after', ...front },
        encoding: { order: { field: 'x', type: 'quantitative' } },
      },
      {
        // No dearer trial is better than the last of the front.
        transform: [{ filter: 'datum.last' }],
        mark: { type: 'rule', ...front },
        encoding: { x2: { value: 'width' } },
      },
      { mark: interval, encoding: { y: { field: 'low' }, y2: { field: 'high' }, color } },
      ...(rows.some(({ xLow }) => xLow !== undefined)
        ? [
            {
              transform: [{ filter: 'datum.chosen && datum.xLow != null && datum.xHigh != null' }],
              mark: interval,
              encoding: { x: { field: 'xLow' }, x2: { field: 'xHigh' }, color },
            },
          ]
        : []),
      {
        mark: { type: 'point', size: 70 },
        encoding: {
          color,
          shape: shape(strategies),
          opacity: { condition: { test: 'datum.chosen', value: 1 }, value: 0.45 },
          tooltip: [
            { field: 'name', title: 'trial' },
            { field: 'y', title: titles.y, format: '.1%' },
            { field: 'x', title: titles.x, format },
          ],
        },
      },
      // Vega warns of a layer without rows.
      ...(['left', 'right'] as const)
        .filter((side) => rows.some((row) => row.label !== '' && row.side === side))
        .flatMap(labelLayers),
    ],
  }
}

/** Labels, each with a line to a point from which it moved. */
function labelLayers(side: 'left' | 'right'): ChartSpec[] {
  const away = side === 'left' ? GAP - 4 : 4 - GAP
  const transform = [{ filter: `datum.label != '' && datum.side == '${side}'` }]
  // Narrow charts have no labels; the key has the names.
  const opacity = { expr: `width < ${NARROWEST} ? 0 : 1` }
  return [
    {
      transform,
      mark: { type: 'rule', color: FAINT, strokeWidth: 0.75, x2Offset: away, opacity },
      encoding: { x2: { field: 'x' }, y2: { field: 'labelY' } },
    },
    {
      transform,
      mark: {
        type: 'text',
        align: side,
        baseline: 'middle',
        dx: away + (side === 'left' ? 2 : -2),
        fontSize: 11,
        opacity,
        stroke: 'var(--paper)',
        strokeWidth: 3,
      },
      encoding: { y: { field: 'labelY' }, text: { field: 'label' } },
    },
  ]
}

function domainOf(rows: readonly ChartRow[]): [number, number] {
  return verticalDomain(rows as unknown as readonly ParetoPoint[])
}

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
