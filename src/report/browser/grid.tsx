import { useMemo } from 'preact/hooks'
import type { Board } from '../board.ts'
import { formatted } from '../numbers.ts'
import { Chart } from './charts.tsx'
import { meta } from './data.ts'
import { heatRows } from './heat-rows.ts'
import { Select } from './select.tsx'
import { change, param } from './state.ts'

/** Heatmap over two selected params of a strategy's grid. */
export function Grid({ board }: { readonly board: Board }) {
  const { strategy, params } = meta.grid.find((one) => one.strategy === param('grid')) ?? meta.grid[0]
  const downs = [...params, ...(params.length > 1 ? [] : [''])]
  const given = (name: string, all: readonly string[], otherwise: string) =>
    all.includes(param(name)) ? param(name) : otherwise
  const x = given('across', params, params[0])
  const y = given('down', downs, downs[1])
  const heads = board.columns.map(({ name, head = name }) => head)
  const measure = given('measure', heads, heads[0])
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
      {...{ id, label, value, options: all.map((option) => [option, option || '(none)'] as const) }}
      onSelect={(next) => change({ ...(name === 'grid' && { across: '', down: '' }), [name]: next })}
    />
  )
  return (
    <figure id="fig-grid">
      <div class="controls">
        {select(
          'grid-strategy',
          'grid',
          'Strategy',
          strategy,
          meta.grid.map((one) => one.strategy),
        )}
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
