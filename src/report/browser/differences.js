// @ts-check
import { draw } from './charts.js'
import { meta, queries, scoresOf } from './data.js'
import { onPair, pair } from './pair.js'
/** @import {Row} from './types.d.ts' */

/**
 * The sorted bars of the pair's differences.
 * @param {(query: number) => void} open
 */
export async function startDifferences(open) {
  if (!meta.charts.differences) return
  const all = await queries()
  const show = async () => {
    const [a, b] = await Promise.all([scoresOf(pair.a, meta.primary), scoresOf(pair.b, meta.primary)])
    const { rows, ties, wins, losses } = differenceRows(a, b, all.id)
    const count = document.getElementById('differences-count')
    if (count) count.textContent = `${ties} of ${ties + wins + losses} tied, ${wins} better, ${losses} worse.`
    await draw('differences', rows, { onClick: (row) => open(Number(row.number)) })
  }
  onPair(show)
  await show()
}

/**
 * @param {Float64Array} a
 * @param {Float64Array} b
 * @param {readonly string[]} ids
 */
export function differenceRows(a, b, ids) {
  /** @type {{query: string, number: number, difference: number}[]} */
  const list = []
  let ties = 0
  ids.forEach((query, number) => {
    const difference = a[number] - b[number]
    if (difference === 0) ties++
    else if (!Number.isNaN(difference))
      list.push({ query, number, difference: Math.round(difference * 1e6) / 1e6 })
  })
  list.sort((x, y) => y.difference - x.difference || x.number - y.number)
  const wins = list.filter(({ difference }) => difference > 0).length
  /** @type {Row[]} */
  const rows = list.map((row, place) => ({ place, ...row }))
  return { rows, ties, wins, losses: list.length - wins }
}
