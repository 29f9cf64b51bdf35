import type { ComponentChildren } from 'preact'
import {
  type Board,
  type BoardColumn,
  type BoardRow,
  bracketOf,
  cellText,
  endsAt,
  numberAt,
} from '../board.ts'
import { points, probability } from '../numbers.ts'
import { limitsInWords, verdictMark, verdictWord } from '../outcome.ts'
import { Term } from '../words.tsx'
import { marked, StrategyMark } from './strategy-marks.tsx'

export type ShownRow = Pick<BoardRow, 'id' | 'name' | 'strategy' | 'baseline' | 'compared' | 'untested'>

interface BoardTableProps<R> {
  readonly id: string
  readonly board: Pick<Board, 'strategies' | 'isTuned'> & { readonly columns: readonly BoardColumn<R>[] }
  readonly rows: readonly R[]
  /** Columns after the primary measure. */
  readonly columns: readonly number[]
  /** Ends of all intervals. */
  readonly scale: readonly [number, number]
  readonly label: string
  /** `-0`: descending by column 0; or `name`. */
  readonly sort?: string
  readonly onSort?: (sort: string) => void
  readonly lead?: (row: R) => ComponentChildren
  readonly rowClass?: (row: R) => string
  /** False without definitions of strategies. */
  readonly isExplained?: boolean
}

export function BoardTable<R extends ShownRow>({
  id,
  board,
  rows,
  columns,
  scale,
  label,
  sort,
  onSort,
  lead,
  rowClass,
  isExplained = true,
}: BoardTableProps<R>) {
  const marks = marked(board.strategies)
  const [primary] = board.columns
  const headOf = (at: number) => {
    const { name, head: text = name, title } = board.columns[at]
    return head(String(at), text, title, name === 'difference')
  }
  const head = (key: string, text: string, title = '', isText = false) => (
    <th
      key={key}
      scope="col"
      class={isText ? 'text' : undefined}
      title={title || undefined}
      aria-sort={sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined}
    >
      {onSort ? (
        <button type="button" class="sort" onClick={() => onSort(sort === `-${key}` ? key : `-${key}`)}>
          {text}
        </button>
      ) : (
        text
      )}
    </th>
  )
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table id={id} class="board">
        <thead>
          <tr>
            {head('name', board.isTuned ? 'strategy' : 'trial', '', true)}
            {headOf(0)}
            <th scope="col" class="text interval-cell">
              interval
            </th>
            {columns.map(headOf)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={row.id}
              class={[row.baseline ? 'baseline' : '', rowClass?.(row)].filter(Boolean).join(' ') || undefined}
            >
              <th scope="row" class="text">
                <span class="row-name">
                  {lead?.(row)}
                  {rowName(row, marks, isExplained)}
                </span>
              </th>
              <td>
                <b>{cellText(primary, row)}</b>
              </td>
              <td class="text interval-cell">
                {whisker(primary, row, scale)} <span class="interval">{bracketOf(primary, row)}</span>
              </td>
              {columns.map((at) => cell(board.columns[at], row))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function cell<R extends ShownRow>(column: BoardColumn<R>, row: R) {
  const remark = column.remark?.(row)
  if (column.name === 'difference') return difference(row, remark)
  return (
    <td title={bracketOf(column, row) || undefined}>
      {cellText(column, row)}
      {remark && <small>{remark}</small>}
    </td>
  )
}

function difference({ compared, baseline, untested }: ShownRow, remark: string | undefined) {
  if (!compared)
    return (
      <td class="text">
        <span class="untested">{baseline ? 'baseline' : untested}</span>
      </td>
    )
  const { verdict, adjusted } = compared
  const title = `${verdictWord(compared)}: ${limitsInWords(compared)}, adjusted p ${probability(adjusted)}`
  return (
    <td class="text">
      <span class={verdict.replace(' ', '-')} title={title}>
        {verdictMark(compared)} {points(compared.difference)}
      </span>{' '}
      {remark && <small>{remark}</small>}
    </td>
  )
}

/** A name whose strategy opens its definition. */
function rowName(
  { name, strategy, baseline }: ShownRow,
  strategies: ReturnType<typeof marked>,
  isExplained: boolean,
) {
  const at = strategies.findIndex((mark) => mark.name === strategy)
  // Answers without retrieval are of no strategy.
  if (at < 0) return <bdi title={name}>{name}</bdi>
  const { hue, shape } = strategies[at]
  const params = name.startsWith(`${strategy} `) ? name.slice(strategy.length) : ''
  const shown = params ? strategy : name
  return (
    <>
      <StrategyMark hue={hue} shape={shape} />
      <bdi title={name}>
        {isExplained ? <Term id={`strategy-${at}`} text={shown} /> : shown}
        {params && <span class="params">{params}</span>}
      </bdi>
      {baseline && (
        <span class="tag">{isExplained ? <Term id="term-baseline" text="baseline" /> : 'baseline'}</span>
      )}
    </>
  )
}

/** Interval as a line, mean as a dot. */
function whisker<R>(column: BoardColumn<R>, row: R, [from, to]: readonly [number, number]) {
  const [mean, ends] = [numberAt(column, row), endsAt(column, row)]
  if (mean === null) return null
  const at = (value: number) => (4 + (72 * (value - from)) / Math.max(to - from, 1e-9)).toFixed(1)
  return (
    <svg class="whisker" viewBox="0 0 80 12" aria-hidden="true">
      {ends && <line x1={at(ends[0])} x2={at(ends[1])} y1="6" y2="6" />}
      <circle cx={at(mean)} cy="6" r="2.6" />
    </svg>
  )
}
