import { csvTable } from '../../text/csv.ts'
import { natural } from '../numbers.ts'
import { meta } from './data.ts'
import { fileName, save } from './files.ts'

/** Adds sorting, unfolding and a CSV file to a table. */
export function enhance(box: HTMLElement): void {
  const body = box.querySelector('tbody')
  const tools = document.createElement('p')
  tools.className = 'tools'
  if (!body) return
  const heads = [...box.querySelectorAll<HTMLElement>('thead th')]
  const rows = [...body.rows]
  let shown = Number(box.dataset.shown ?? rows.length)
  const draw = (ordered: readonly HTMLElement[]) => {
    body.replaceChildren(...ordered)
    ordered.forEach((row, place) => {
      row.hidden = place >= shown
    })
  }
  const addButton = (text: string, name: string, run: (button: HTMLElement) => void) => {
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', textContent: text })
    button.dataset[name] = box.id
    button.addEventListener('click', () => run(button))
    tools.append(button)
  }
  heads.forEach((head, column) => {
    if (!('sortable' in box.dataset) || head.textContent === '') return
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'sort' })
    button.append(...[...head.childNodes].filter(({ nodeName }) => nodeName !== 'SMALL'))
    head.prepend(button)
    button.addEventListener('click', () => {
      const way = head.ariaSort === 'descending' ? 1 : -1
      for (const other of heads) other.removeAttribute('aria-sort')
      head.ariaSort = way < 0 ? 'descending' : 'ascending'
      draw([...rows].sort((a, b) => compare(valueAt(a, column), valueAt(b, column), way)))
    })
  })
  addButton('Data (CSV)', 'csvOfTable', () => {
    const names = heads.map(({ textContent }) => (textContent ?? '').trim())
    const cells = [...body.rows].map((row) => names.map((_, column) => valueAt(row, column)))
    save(`${fileName(meta.experiment, box.id)}.csv`, csvTable(names, cells))
  })
  if (shown < rows.length)
    addButton(`Show all ${rows.length}`, 'unfold', (button) => {
      shown = rows.length
      draw([...body.rows])
      button.remove()
    })
  draw(rows)
  box.append(tools)
}

function valueAt(row: HTMLTableRowElement, column: number): string | number {
  const cell = row.cells[column]
  const text = (cell.dataset.v ?? cell.textContent ?? '').trim()
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** Empty cells come last. */
function compare(a: string | number, b: string | number, way: number): number {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1
  return typeof a === 'number' && typeof b === 'number' ? way * (a - b) : -way * natural(String(a), String(b))
}
