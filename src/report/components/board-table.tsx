import type { ComponentChildren } from 'preact'
import { type Board, bracketOf, cellText, endsOf, numberOf, type ShownRow } from '../board.ts'
import { StrategyMark } from './key.tsx'
import { Term } from './term.tsx'

interface BoardTableProps<R> {
  readonly id: string
  readonly board: Pick<Board, 'columns' | 'strategies' | 'isTuned'>
  readonly rows: readonly R[]
  /** Places of the columns after the primary measure. */
  readonly columns: readonly number[]
  /** Lowest and highest end of all intervals. */
  readonly scale: readonly [number, number]
  readonly label: string
  /** `-0` for descending by the column 0, `name`, `difference`. */
  readonly sort?: string
  readonly onSort?: (sort: string) => void
  /** Buttons before a row's name. */
  readonly lead?: (row: R) => ComponentChildren
  readonly rowClass?: (row: R) => string
  /** False if the strategies have no descriptions on the page. */
  readonly isExplained?: boolean
}

/** Rows of a leaderboard: the primary measure with its interval, the difference from the baseline, and chosen columns. */
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
  const hasDifference = rows.some(({ difference }) => difference)
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
            {head('0', board.columns[0].head, board.columns[0].title)}
            <th scope="col" class="text interval-cell">
              interval
            </th>
            {hasDifference && head('difference', 'to baseline', 'paired difference in points', true)}
            {columns.map((at) => head(String(at), board.columns[at].head, board.columns[at].title))}
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
                  <RowName row={row} strategies={board.strategies} isExplained={isExplained} />
                </span>
              </th>
              <td>
                <b>{cellText(board, row, 0)}</b>
              </td>
              <td class="text interval-cell">
                <Whisker row={row} scale={scale} /> <span class="interval">{bracketOf(board, row, 0)}</span>
              </td>
              {hasDifference && (
                <td class="text">
                  <span class={row.difference?.verdict ?? 'untested'} title={row.difference?.title}>
                    {row.difference?.text ?? row.untested}
                  </span>
                </td>
              )}
              {columns.map((at) => (
                <td key={at} title={bracketOf(board, row, at) || undefined}>
                  {cellText(board, row, at)}
                  {row.searchOnly && board.columns[at].head === 'p50 ms' && <small>search only</small>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A row's mark and name; the strategy opens its description. */
function RowName({
  row: { name, strategy, baseline },
  strategies,
  isExplained,
}: {
  readonly isExplained: boolean
  readonly row: ShownRow
  readonly strategies: Board['strategies']
}) {
  const { name: own, hue, shape } = strategies[strategy]
  const params = name.startsWith(`${own} `) ? name.slice(own.length) : ''
  return (
    <>
      <StrategyMark hue={hue} shape={shape} />
      <bdi title={name}>
        {isExplained ? <Term id={`strategy-${strategy}`} text={params ? own : name} /> : params ? own : name}
        {params && <span class="params">{params}</span>}
      </bdi>
      {baseline && (
        <span class="tag">{isExplained ? <Term id="term-baseline" text="baseline" /> : 'baseline'}</span>
      )}
    </>
  )
}

/** Interval as a line and mean as a dot; all rows on one scale. */
function Whisker({
  row: { values },
  scale: [from, to],
}: {
  readonly row: ShownRow
  readonly scale: readonly [number, number]
}) {
  const mean = numberOf(values[0])
  if (mean === null) return null
  const ends = endsOf(values[0])
  const at = (value: number) => (4 + (72 * (value - from)) / Math.max(to - from, 1e-9)).toFixed(1)
  return (
    <svg class="whisker" viewBox="0 0 80 12" aria-hidden="true">
      {ends && <line x1={at(ends[0])} x2={at(ends[1])} y1="6" y2="6" />}
      <circle cx={at(mean)} cy="6" r="2.6" />
    </svg>
  )
}
