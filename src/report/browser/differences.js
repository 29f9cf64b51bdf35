// @ts-check
import { draw } from './charts.js'
import { meta, queries, scoresOf, trials } from './data.js'
/** @import {Row} from './types.d.ts' */

/**
 * Draws the sorted bars of two trials' differences.
 * @param {readonly [number, number]} pair
 * @param {(id: string) => void} open called with the id of a clicked query
 */
export async function drawDifferences([first, second], open) {
  if (!meta.charts.differences) return
  const [all, tried] = await Promise.all([queries(), trials()])
  const [a, b] = await Promise.all([scoresOf(first, meta.primary), scoresOf(second, meta.primary)])
  const { rows, ties, wins, losses } = differenceRows(a, b, all.id)
  const write = (/** @type {string} */ id, /** @type {string} */ text) => {
    const place = document.getElementById(id)
    if (place) place.textContent = text
  }
  write('differences-count', `${ties} of ${ties + wins + losses} tied, ${wins} better, ${losses} worse.`)
  write('differences-pair', `${tried.name[first]} minus ${tried.name[second]}`)
  await draw('differences', rows, { onClick: (row) => open(String(row.query)) })
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
