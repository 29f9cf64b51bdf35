/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { type ComponentChild, type ComponentChildren, h, type RefObject } from 'preact'
import { useMemo } from 'preact/hooks'
import { sortOf } from './board-rows.ts'
import { meta } from './data.ts'
import { csvText, fileName, save } from './files.ts'
import { natural } from './natural.ts'

/** Head of a column; without a key it sorts nothing. */
export interface Head {
  readonly key?: string | undefined
  readonly text: ComponentChildren
  readonly note?: ComponentChildren
  readonly title?: string | undefined
  readonly isText?: boolean
}

interface SortedTableProps {
  readonly id?: string
  readonly heads: readonly Head[]
  /** `-mean` for descending by the column `mean`. */
  readonly sort: string
  readonly onSort: (sort: string) => void
  readonly label: { readonly 'aria-label': string } | { readonly 'aria-labelledby': string }
  readonly scroller?: RefObject<HTMLDivElement | null>
  readonly children: ComponentChildren
}

/** A table in a box that scrolls. A click on a head sorts: numbers first from large to small, then the other way. */
export function SortedTable({ id, heads, sort, onSort, label, scroller, children }: SortedTableProps) {
  const [by, way] = sortOf(sort)
  return (
    <div class={scroller ? 'scroll tall' : 'scroll'} ref={scroller} tabIndex={0} role="group" {...label}>
      <table id={id}>
        <thead>
          <tr>
            {heads.map(({ key, text, note, title, isText }, place) => (
              <th
                key={key ?? place}
                scope="col"
                class={isText ? 'text' : undefined}
                title={title || undefined}
                aria-sort={
                  key !== undefined && key === by ? (way < 0 ? 'descending' : 'ascending') : undefined
                }
              >
                {key === undefined ? (
                  text
                ) : (
                  <button
                    type="button"
                    class="sort"
                    onClick={() => onSort(key === by && way < 0 ? key : `-${key}`)}
                  >
                    {text}
                  </button>
                )}
                {note}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

interface StaticRow {
  readonly row: ComponentChild
  readonly values: readonly (string | number)[]
}

interface StaticTable {
  readonly id: string
  readonly caption: ComponentChildren
  readonly heads: readonly Head[]
  readonly names: readonly string[]
  readonly rows: readonly StaticRow[]
  /** Rows shown before "show all". */
  readonly shown: number
}

/** A table of the page with sorting, all of its rows on demand, and its data as CSV. */
export function DataTable({ id, caption, heads, names, rows, shown }: StaticTable) {
  const sort = useSignal('')
  const isWhole = useSignal(rows.length <= shown)
  const ordered = useMemo(() => sorted(rows, sort.value), [rows, sort.value])
  const csv = () =>
    csvText(
      names,
      ordered.map(({ values }) => values),
    )
  return (
    <>
      <p class="caption" id={`${id}-caption`}>
        {caption}
      </p>
      <SortedTable
        heads={heads}
        sort={sort.value}
        onSort={(next) => {
          sort.value = next
        }}
        label={{ 'aria-labelledby': `${id}-caption` }}
      >
        {ordered.slice(0, isWhole.value ? undefined : shown).map(({ row }) => row)}
      </SortedTable>
      <p class="tools">
        <button
          type="button"
          data-csv-of-table={id}
          onClick={() => save(`${fileName(meta.experiment, id)}.csv`, csv())}
        >
          Data (CSV)
        </button>
        {!isWhole.value && (
          <button
            type="button"
            data-unfold={id}
            onClick={() => {
              isWhole.value = true
            }}
          >
            Show all {rows.length}
          </button>
        )}
      </p>
    </>
  )
}

function sorted(rows: readonly StaticRow[], sort: string): readonly StaticRow[] {
  if (sort === '') return rows
  const [by, way] = sortOf(sort)
  return [...rows].sort(({ values: x }, { values: y }) => {
    const [a, b] = [x[Number(by)], y[Number(by)]]
    if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1
    return typeof a === 'number' && typeof b === 'number'
      ? way * (a - b)
      : -way * natural(String(a), String(b))
  })
}

/** A table as the page was written, for the component that takes its place. */
export function readTable(box: HTMLElement): StaticTable {
  const [head, ...rows] = box.querySelectorAll('tr')
  const isSortable = 'sortable' in box.dataset
  return {
    id: box.id,
    caption: childrenOf(box.querySelector('.caption')),
    heads: [...head.cells].map((cell, place) => ({
      key: isSortable && cell.textContent !== '' ? String(place) : undefined,
      text: [...cell.childNodes].filter((node) => node.nodeName !== 'SMALL').map(copyOf),
      note: [...cell.querySelectorAll('small')].map(copyOf),
      title: cell.title,
      isText: cell.className === 'text',
    })),
    names: [...head.cells].map((cell) => (cell.textContent ?? '').trim()),
    rows: rows.map((row, place) => ({
      row: h('tr', { key: place, class: row.className || undefined }, [...row.cells].map(copyOf)),
      values: [...row.cells].map(cellValue),
    })),
    shown: Number(box.dataset.shown ?? Number.POSITIVE_INFINITY),
  }
}

/** Value of a cell: exact if the text rounds it. */
function cellValue(cell: HTMLElement): string | number {
  const text = (cell.dataset.v ?? cell.textContent ?? '').trim()
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** Elements and texts as nodes of the component; nothing is read as markup again. */
function copyOf(node: Node): ComponentChild {
  if (!(node instanceof Element)) return node.textContent
  const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]))
  return h(node.localName, attributes, childrenOf(node))
}

function childrenOf(node: Element | null): ComponentChild[] {
  return [...(node?.childNodes ?? [])].map(copyOf)
}
