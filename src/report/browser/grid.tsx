/** @jsxImportSource preact */
import { signal } from '@preact/signals'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { Chart, whileDrawing } from './charts.tsx'
import { meta } from './data.ts'
import { heatRows, meanText } from './heat-rows.ts'
import { Select } from './select.tsx'
import { change, param } from './state.ts'
import type { Row, Trials } from './types.d.ts'

/** Sentences about the heatmap, for its caption. */
export const gridCaption = signal('The mean of a measure, in percent, over two params of a grid.')

/** Heatmap over two params of a strategy's grid, which the reader selects; the link holds the selection. */
export function Grid({ trials }: { readonly trials: () => Promise<Trials> }) {
  const [all, setAll] = useState<Trials | null>(null)
  useLayoutEffect(() => whileDrawing(trials().then(setAll)), [])
  const { strategy, params } = meta.grid.find((one) => one.strategy === param('grid')) ?? meta.grid[0]
  const downs = [...params, ...(params.length > 1 ? [] : [''])]
  const given = (name: string, all: readonly string[], otherwise: string) =>
    all.includes(param(name)) ? param(name) : otherwise
  const x = given('across', params, params[0])
  const y = given('down', downs, downs[1])
  const measure = given('measure', meta.measures, meta.primary)
  const rows = useMemo(
    () => (all ? heatRows(all, strategy, x, y, measure) : []),
    [all, strategy, x, y, measure],
  )
  const isFlat = y === '' || y === x
  useLayoutEffect(() => {
    if (rows.length > 0)
      gridCaption.value = captionOf(strategy, measure, isFlat ? x : `${x} (across) and ${y} (down)`, rows)
  }, [rows])
  const select = (id: string, name: string, label: string, value: string, all: readonly string[]) => (
    <Select
      {...{ id, label, value, options: all.map((option) => [option, option || '(none)'] as const) }}
      onSelect={(next) => change({ ...(name === 'grid' && { across: '', down: '' }), [name]: next })}
    />
  )
  return (
    <>
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
        {select('grid-measure', 'measure', 'measure', measure, meta.measures)}
      </div>
      <Chart id="grid" rows={rows} titles={{ x: isFlat ? `${x} →` : `${y} ↓, ${x} →`, y: '' }} />
    </>
  )
}

function captionOf(strategy: string, measure: string, axes: string, rows: readonly Row[]): string {
  const most = rows.reduce((a, row) => Math.max(a, Number(row.n)), 0)
  const values = rows.map((row) => Number(row.value))
  const range =
    values.length === 0
      ? '.'
      : `: from ${meanText(measure, Math.min(...values))} to ${meanText(measure, Math.max(...values))}.`
  return `Mean ${measure} of ${strategy}${meta.counts.includes(measure) ? '' : ' in percent'} over ${axes}${range} n = ${rows.reduce((sum, row) => sum + Number(row.n), 0)} trials, ${most === 1 ? 'one' : `up to ${most}`} per cell.`
}
