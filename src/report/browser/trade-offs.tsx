import { useMemo } from 'preact/hooks'
import type { Board } from '../board.ts'
import { paretoPoints, paretoRows } from '../charts/pareto.ts'
import { marked } from '../charts/strategy-marks.ts'
import { Key } from '../components/key.tsx'
import { Term } from '../components/term.tsx'
import { Chart } from './charts.tsx'
import { meta } from './data.ts'
import { Select } from './select.tsx'
import { change, param } from './state.ts'

/** Quality against a chosen cost. */
export function TradeOffs({ board }: { readonly board: Board }) {
  const { name, column, note } = meta.axes.find((axis) => axis.name === param('cost')) ?? meta.axes[0]
  const rows = useMemo(() => paretoRows(paretoPoints(board, column, meta.chosen)), [board, column])
  return (
    <figure id="fig-cost">
      <div class="controls">
        <Select
          id="cost-select"
          label="Cost"
          value={name}
          options={meta.axes.map((axis) => [axis.name, axis.name] as const)}
          onSelect={(cost) => change({ cost })}
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
