import type { ComponentChildren } from 'preact'
import { formatted, quantity } from '../numbers.ts'
import type { Column } from '../table.ts'

interface HtmlTable<R> {
  readonly id: string
  readonly caption: ComponentChildren
  readonly columns: readonly Column<R>[]
  readonly rows: readonly R[]
  /** Rows before "show all". */
  readonly shown?: number
  /** Place with all rows of a large grid; the page has the first 200. */
  readonly whole?: ComponentChildren
  readonly sortable?: boolean
  readonly rowClass?: (row: R, index: number) => string
}

const MAX_ROWS = 200
/** Maximum columns of a table that is only as wide as needed. */
const NARROW = 3

export const TRIAL = {
  head: 'trial',
  left: true,
  html: ({ name }: { readonly name: string }) => name,
} as const

/** A table; the page's script adds sorting, folding and CSV. */
export function htmlTable<R>({
  id,
  caption,
  columns,
  rows: all,
  shown = Number.POSITIVE_INFINITY,
  whole,
  sortable = false,
  rowClass,
}: HtmlTable<R>) {
  const rows = whole ? all.slice(0, MAX_ROWS) : all
  const cellOf = ({ html, text, value, format, left }: Column<R>, row: R, index: number) => {
    const exact = value?.(row, index)
    const number = typeof exact === 'number' ? formatted(exact, format ?? 'count') : '–'
    const cell = html || text ? (html ?? text)?.(row, index) : number
    const kind = { class: left ? 'text' : undefined, 'data-v': value && String(exact ?? '') }
    return { kind, cell }
  }
  return (
    <div
      class={columns.length > NARROW ? 'table' : 'table narrow'}
      id={id}
      data-shown={shown < rows.length ? shown : undefined}
      data-sortable={sortable || undefined}
    >
      <p class="caption" id={`${id}-caption`}>
        {caption}
        {rows.length < all.length && (
          <>
            {' '}
            The first {quantity(MAX_ROWS)} of {quantity(all.length)}; {whole} all.
          </>
        )}
      </p>
      <div class="scroll" tabIndex={0} role="group" aria-labelledby={`${id}-caption`}>
        <table>
          <thead>
            <tr>
              {columns.map(({ head, note, title, left }) => (
                <th scope="col" class={left ? 'text' : undefined} title={title}>
                  {breakable(head)}
                  {note && <small>{note}</small>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr class={rowClass?.(row, index) || undefined}>
                {columns.map((column, at) => {
                  const { kind, cell } = cellOf(column, row, index)
                  return at === 0 ? (
                    <th scope="row" {...kind}>
                      {typeof cell === 'string' ? breakable(cell) : cell}
                    </th>
                  ) : (
                    <td {...kind}>{cell}</td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** Breaks before a cutoff (recall | @1000tok) and after equals signs. */
function breakable(text: string): ComponentChildren {
  return text.split(/(?=@)|(?<==)/).map((part, index) => [index > 0 && <wbr />, part])
}

export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[]
}) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
