/** @jsxImportSource preact */
import { signal } from '@preact/signals'
import { useLayoutEffect, useState } from 'preact/hooks'
import { Chart, whileDrawing } from './charts.tsx'
import { meta, queries, scoresOf, trials } from './data.ts'
import { change, pairOf } from './state.ts'
import type { Row } from './types.d.ts'

/** Names and counts of the compared trials, for the caption. */
export const differencesPair = signal('')
export const differencesCount = signal('')

/** Sorted bars of the differences between the two compared trials; a click opens a query. */
export function Differences() {
  const [a, b] = pairOf()
  const [rows, setRows] = useState<readonly Row[]>([])
  useLayoutEffect(() => {
    let isCurrent = true
    const scores = [scoresOf(a, meta.primary), scoresOf(b, meta.primary)] as const
    const read = async () => {
      const [{ id }, { name }, first, second] = await Promise.all([queries(), trials(), ...scores] as const)
      if (!isCurrent) return
      const { ties, wins, losses, ...found } = differenceRows(first, second, id)
      differencesCount.value = `${ties} of ${ties + wins + losses} tied, ${wins} better, ${losses} worse.`
      differencesPair.value = `${name[a]} minus ${name[b]}`
      setRows(found.rows)
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
  return <Chart id="differences" rows={rows} onClick={open} />
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
