import { useMemo } from 'preact/hooks'
import { type Board, numberAt, trialsOf } from '../board.ts'
import { paretoPoints, paretoRows } from '../charts/pareto.ts'
import { heatStep } from '../charts/theme.ts'
import { Key, marked } from '../components/strategy-marks.tsx'
import { compareValues, valueText } from '../grid-params.ts'
import { formatted } from '../numbers.ts'
import { Term } from '../words.tsx'
import { Chart, whileDrawing } from './charts.tsx'
import { meta, queries, scoresOf, trials } from './data.ts'
import { Select, useLoaded } from './select.tsx'
import { change, pairOf, param } from './state.ts'
import type { Row } from './types.d.ts'

/** Heatmap over two selected params of a strategy's grid. */
export function Grid({ board }: { readonly board: Board }) {
  const { strategy, params } = meta.grid.find((item) => item.strategy === param('grid')) ?? meta.grid[0]
  const downs = [...params, ...(params.length > 1 ? [] : [''])]
  const choiceOf = (name: string, all: readonly string[], otherwise: string) =>
    all.includes(param(name)) ? param(name) : otherwise
  const x = choiceOf('across', params, params[0])
  const y = choiceOf('down', downs, downs[1])
  const heads = board.columns.map(({ name, head = name }) => head)
  const measure = choiceOf('measure', heads, heads[0])
  const column = heads.indexOf(measure)
  const rows = useMemo(() => heatRows(board, strategy, x, y, column), [board, strategy, x, y, column])
  const isFlat = y === '' || y === x
  const values = rows.map(({ value }) => Number(value))
  const ends = [Math.min(...values), Math.max(...values)].map((end) =>
    formatted(end, board.columns[column].format),
  )
  const n = rows.reduce((sum, row) => sum + Number(row.n), 0)
  const select = (id: string, name: string, label: string, value: string, all: readonly string[]) => (
    <Select
      id={id}
      name={name}
      label={label}
      value={value}
      options={all.map((option) => [option, option || '(none)'])}
      {...(name === 'grid' && { resets: { across: '', down: '' } })}
    />
  )
  const strategies = meta.grid.map((grid) => grid.strategy)
  return (
    <figure id="fig-grid">
      <div class="controls">
        {select('grid-strategy', 'grid', 'Strategy', strategy, strategies)}
        {select('grid-x', 'across', 'across', x, params)}
        {select('grid-y', 'down', 'down', y, downs)}
        {select('grid-measure', 'measure', 'measure', measure, heads)}
      </div>
      <div class="chart">
        <Chart id="grid" rows={rows} titles={{ x: isFlat ? `${x} →` : `${y} ↓, ${x} →`, y: '' }} />
      </div>
      <figcaption>
        Mean {measure} of {strategy} over {isFlat ? x : `${x} (across) and ${y} (down)`}: from{' '}
        {ends.join(' to ')}. n = {n} trials in {rows.length} cells. The stronger the colour, the higher. Each
        cell averages over all params that are not shown.
      </figcaption>
    </figure>
  )
}

/** A row per cell: the mean over its trials. */
function heatRows(board: Board, strategy: string, x: string, y: string, column: number): Row[] {
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

export function TradeOffs({ board }: { readonly board: Board }) {
  const { name, column, note } = meta.axes.find((axis) => axis.name === param('cost')) ?? meta.axes[0]
  const rows = useMemo(() => paretoRows(paretoPoints(board, column, meta.chosen)), [board, column])
  return (
    <figure id="fig-cost">
      <div class="controls">
        <Select
          id="cost-select"
          name="cost"
          label="Cost"
          value={name}
          options={meta.axes.map((axis) => [axis.name, axis.name])}
        />
      </div>
      <Key entries={marked(board.strategies)} />
      <div class="chart">
        <Chart key={column} id={`cost-${board.columns[column].format}`} rows={rows} />
      </div>
      <figcaption>
        Up is better, left is cheaper. The dashed line is the <Term id="term-front" text="front" />: no trial
        is both better and cheaper than one on it. Solid marks with intervals represent a strategy; faint
        marks are other trials. {note}
      </figcaption>
    </figure>
  )
}

/** Bars of the differences between two trials; a click opens a query. */
export function Differences() {
  const [a, b] = pairOf()
  const read = async () => {
    const [{ id }, tried] = await Promise.all([queries(), trials()])
    const scores = [await scoresOf(a, meta.primary), await scoresOf(b, meta.primary)] as const
    return { ...differenceRows(...scores, id), pair: `${tried[a].name} minus ${tried[b].name}` }
  }
  const loaded = useLoaded(() => {
    const reading = read()
    whileDrawing(reading)
    return reading
  }, [a, b])
  const open = ({ query }: Row) => {
    change({ q: String(query) })
    document.getElementById('drill')?.scrollIntoView()
  }
  if (!loaded) return null
  const { pair, rows, ties, wins, losses } = loaded
  return (
    <figure id="fig-differences">
      <p class="pair-names">{pair}</p>
      <div class="chart">
        <Chart id="differences" rows={rows} onClick={open} />
      </div>
      <figcaption>
        One bar per query, sorted by the difference in {meta.primary}. Upward bars: the first trial is better.
        Queries without a difference are not drawn: {ties} of {ties + wins + losses} tied, {wins} better,{' '}
        {losses} worse. Click a bar to open the query.
      </figcaption>
    </figure>
  )
}

function differenceRows(a: Float64Array, b: Float64Array, ids: readonly string[]) {
  const differences = ids.map((query, number) => ({ query, number, difference: a[number] - b[number] }))
  const list = differences
    .filter(({ difference }) => difference !== 0 && !Number.isNaN(difference))
    .map((row) => ({ ...row, difference: Math.round(row.difference * 1e6) / 1e6 }))
    .sort((x, y) => y.difference - x.difference || x.number - y.number)
  const wins = list.filter(({ difference }) => difference > 0).length
  return {
    rows: list.map((row, place): Row => ({ place, ...row })),
    ties: differences.filter(({ difference }) => difference === 0).length,
    wins,
    losses: list.length - wins,
  }
}
