// @ts-check
import { csvText } from './csv.js'
import { meta } from './data.js'
import { fileName, save } from './dom.js'
import { natural } from './natural.ts'

/** @param {string} id */
const tableOf = (id) => document.querySelector(`#${CSS.escape(id)} table`)

/**
 * Value of a cell: exact if the text rounds it.
 * @param {Element} cell
 */
function cellValue(cell) {
  const exact = cell instanceof HTMLElement ? cell.dataset.v : undefined
  const text = (exact ?? cell.textContent ?? '').trim()
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/**
 * Saves a table, folded rows too, as CSV.
 * @param {string} id
 */
export function saveTable(id) {
  const table = tableOf(id)
  if (!(table instanceof HTMLTableElement)) return
  const [head, ...rows] = [...table.rows].map((row) => [...row.cells])
  const header = head.map((cell) => (cell.textContent ?? '').trim())
  save(
    `${fileName(`${meta.experiment}-${id}`)}.csv`,
    csvText(
      header,
      rows.map((cells) => cells.map(cellValue)),
    ),
  )
}

/** @param {string} id */
export function unfold(id) {
  for (const row of document.querySelectorAll(`#${CSS.escape(id)} .folded`)) row.classList.remove('folded')
}

/**
 * Sorts a table by the column of a button in its head: numbers first from large to small, then the other way.
 * @param {HTMLElement} button
 */
export function sortBy(button) {
  const head = button.closest('th')
  const table = button.closest('table')
  if (!head || !table) return
  const place = head.cellIndex
  const direction = head.getAttribute('aria-sort') === 'descending' ? 'ascending' : 'descending'
  for (const other of table.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort')
  head.setAttribute('aria-sort', direction)
  const body = table.tBodies[0]
  const rows = [...body.rows].map((row) => ({ row, value: cellValue(row.cells[place]) }))
  const sign = direction === 'descending' ? -1 : 1
  rows.sort((a, b) => {
    if (a.value === '' || b.value === '') return a.value === b.value ? 0 : a.value === '' ? 1 : -1
    if (typeof a.value === 'number' && typeof b.value === 'number') return sign * (a.value - b.value)
    return -sign * natural(String(a.value), String(b.value))
  })
  const folded = body.querySelectorAll('.folded').length
  const shown = rows.length - folded
  rows.forEach(({ row }, at) => {
    row.classList.toggle('folded', at >= shown)
    body.append(row)
  })
}
