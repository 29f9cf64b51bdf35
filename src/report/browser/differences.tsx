import { useLayoutEffect, useState } from 'preact/hooks'
import { Chart, whileDrawing } from './charts.tsx'
import { meta, queries, scoresOf, trials } from './data.ts'
import { change, pairOf } from './state.ts'
import type { Row } from './types.d.ts'

/** Bars of the differences between two trials; a click opens a query. */
export function Differences() {
  const [a, b] = pairOf()
  const [loaded, setLoaded] = useState<ReturnType<typeof differenceRows> & { readonly pair: string }>()
  useLayoutEffect(() => {
    let isCurrent = true
    const scores = [scoresOf(a, meta.primary), scoresOf(b, meta.primary)] as const
    const read = async () => {
      const [{ id }, tried, first, second] = await Promise.all([queries(), trials(), ...scores] as const)
      if (isCurrent)
        setLoaded({ ...differenceRows(first, second, id), pair: `${tried[a].name} minus ${tried[b].name}` })
    }
    whileDrawing(read())
    return () => {
      isCurrent = false
    }
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
