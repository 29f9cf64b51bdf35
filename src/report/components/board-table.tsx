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
                  <RowName row={row} strategies={marks} isExplained={isExplained} />
                </span>
              </th>
              <td>
                <b>{cellText(primary, row)}</b>
              </td>
              <td class="text interval-cell">
                <Whisker mean={numberAt(primary, row)} ends={endsAt(primary, row)} scale={scale} />{' '}
                <span class="interval">{bracketOf(primary, row)}</span>
              </td>
              {columns.map((at) => (
                <Cell key={at} column={board.columns[at]} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell<R extends ShownRow>({ column, row }: { readonly column: BoardColumn<R>; readonly row: R }) {
  const remark = column.remark?.(row)
  if (column.name === 'difference') return <Difference row={row} remark={remark} />
  return (
    <td title={bracketOf(column, row) || undefined}>
      {cellText(column, row)}
      {remark && <small>{remark}</small>}
    </td>
  )
}

function Difference({
  row: { compared, baseline, untested },
  remark,
}: {
  readonly row: ShownRow
  readonly remark: string | undefined
}) {
  if (!compared)
    return (
      <td class="text">
        <span class="untested">{baseline ? 'baseline' : untested}</span>
      </td>
    )
  const { difference, verdict, adjusted } = compared
  const title = `${verdictWord(compared)}: ${limitsInWords(compared)}, adjusted p ${probability(adjusted)}`
  return (
    <td class="text">
      <span class={verdict.replace(' ', '-')} title={title}>
        {verdictMark(compared)} {points(difference)}
      </span>{' '}
      {remark && <small>{remark}</small>}
    </td>
  )
}

/** A name whose strategy opens its definition. */
function RowName({
  row: { name, strategy, baseline },
  strategies,
  isExplained,
}: {
  readonly isExplained: boolean
  readonly row: ShownRow
  readonly strategies: ReturnType<typeof marked>
}) {
  const at = strategies.findIndex((mark) => mark.name === strategy)
  if (at < 0) return <bdi title={name}>{name}</bdi>
  const { name: own, hue, shape } = strategies[at]
  const params = name.startsWith(`${own} `) ? name.slice(own.length) : ''
  return (
    <>
      <StrategyMark hue={hue} shape={shape} />
      <bdi title={name}>
        {isExplained ? <Term id={`strategy-${at}`} text={params ? own : name} /> : params ? own : name}
        {params && <span class="params">{params}</span>}
      </bdi>
      {baseline && (
        <span class="tag">{isExplained ? <Term id="term-baseline" text="baseline" /> : 'baseline'}</span>
      )}
    </>
  )
}

/** Interval as a line, mean as a dot. */
function Whisker({
  mean,
  ends,
  scale: [from, to],
}: {
  readonly mean: number | null
  readonly ends: readonly [number, number] | null
  readonly scale: readonly [number, number]
}) {
  if (mean === null) return null
  const at = (value: number) => (4 + (72 * (value - from)) / Math.max(to - from, 1e-9)).toFixed(1)
  return (
    <svg class="whisker" viewBox="0 0 80 12" aria-hidden="true">
      {ends && <line x1={at(ends[0])} x2={at(ends[1])} y1="6" y2="6" />}
      <circle cx={at(mean)} cy="6" r="2.6" />
    </svg>
  )
}
