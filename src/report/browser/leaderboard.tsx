import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { csvTable } from '../../text/csv.ts'
import { type Board, bracketOf, cellText, scaleOf, spreadColumns } from '../board.ts'
import { BoardTable } from '../components/board-table.tsx'
import { markdownTable } from '../markdown.ts'
import { rowsOf, type Shown } from './board-rows.ts'
import { meta } from './data.ts'
import { copyText, fileName, save } from './files.ts'
import { Select } from './select.tsx'
import { change, param, show } from './state.ts'

const FIRST = 100

const listOf = (name: string) => param(name).split(',').filter(Boolean)

function toggle(name: string, value: string): void {
  const list = listOf(name)
  const next = list.includes(value) ? list.filter((item) => item !== value) : [...list, value]
  change({ [name]: next.join(',') })
}

export function Leaderboard({ board }: { readonly board: Board }) {
  const { ranked, seen, strategies } = board
  const said = useSignal('')
  const isWhole = useSignal(false)
  const toggled = listOf('columns')
  const isShown = (at: number) => (board.columns[at].isFirst === true) !== toggled.includes(String(at))
  const columns = board.columns.flatMap((_, at) => (at > 0 && isShown(at) ? [at] : []))
  const [pinned, open] = [listOf('pin'), listOf('open')]
  const wanted = { text: param('text'), strategy: param('strategy'), sort: param('sort') }
  const rows = useMemo(
    () => rowsOf(board, { ...wanted, open, pinned }),
    [board, ...Object.values(wanted), param('open'), param('pin')],
  )
  const shown = isWhole.value ? rows : rows.slice(0, FIRST)
  const placed = new Map(shown.map((shownRow) => [shownRow.row.id, shownRow]))
  const scale = useMemo(() => scaleOf(board.columns[0], [...ranked, ...seen]), [board])
  // In the order of pinning.
  const comparable = pinned.flatMap((id) =>
    [...ranked, ...seen, ...board.answered].flatMap((row) =>
      row.id === id && meta.shape?.trials.includes(row.trial) ? [row.trial] : [],
    ),
  )
  const canCompare = comparable.length === 2 && comparable[0] !== comparable[1]
  const head = board.isTuned ? 'strategy' : 'trial'
  const copied = [0, ...columns].map((at) => board.columns[at])
  const markdown = () =>
    markdownTable({
      columns: [
        { head, left: true, text: ({ row }: Shown) => row.name },
        ...copied.map((column) => ({
          head: column.head ?? column.name,
          text: ({ row }: Shown) => `${cellText(column, row)} ${bracketOf(column, row)}`.trim(),
        })),
      ],
      parts: [{ title: '', rows }],
      caption: '',
    }).trimEnd()
  const csv = () => {
    const all = rows.map(({ row }) => row)
    const { heads, cellsOf } = spreadColumns(copied, all)
    return csvTable(
      [head, ...heads],
      all.map((row) => [row.name, ...cellsOf(row)]),
    )
  }
  return (
    <div class="board-app">
      <div class="controls">
        <label>
          Filter{' '}
          <input
            type="search"
            id="board-text"
            value={param('text')}
            onInput={(event) => change({ text: event.currentTarget.value }, true)}
          />
        </label>
        <Select
          id="board-strategy"
          name="strategy"
          label="Strategy"
          options={['', ...strategies].map((name) => [name, name || 'all'] as const)}
        />
        <details class="chooser">
          <summary>Columns</summary>
          <div>
            {board.columns.map(({ name, head = name, title }, at) =>
              at === 0 ? null : (
                <label key={at} class="check" title={title}>
                  <input
                    type="checkbox"
                    checked={isShown(at)}
                    onChange={() => toggle('columns', String(at))}
                  />{' '}
                  {head}
                </label>
              ),
            )}
          </div>
        </details>
        {seen.length > 0 && (
          <button
            type="button"
            onClick={() => change({ open: open.length > 0 ? '' : [...strategies.keys()].join(',') })}
          >
            {open.length > 0 ? 'Hide trials' : 'Show all trials'}
          </button>
        )}
        <button
          type="button"
          id="board-compare"
          disabled={!canCompare}
          onClick={() => show('queries', { a: String(comparable[0]), b: String(comparable[1]) })}
        >
          {canCompare ? 'Compare the queries of both' : 'Pin two rows (◇) to compare'}
        </button>
        <span role="status" id="board-count">
          {said.value || `${rows.length} rows`}
        </span>
      </div>
      <BoardTable
        id="board-table"
        label="Leaderboard"
        board={board}
        rows={shown.map(({ row }) => row)}
        columns={columns}
        scale={scale}
        sort={wanted.sort}
        onSort={(sort) => change({ sort })}
        lead={(row) => {
          const place = String(strategies.indexOf(row.strategy))
          const shown = placed.get(row.id) ?? { row, isBelow: false, trials: 0 }
          return lead(shown, pinned.includes(row.id), open.includes(place), place)
        }}
        rowClass={({ id }) =>
          [placed.get(id)?.isBelow ? 'below' : '', pinned.includes(id) ? 'pinned' : ''].join(' ').trim()
        }
      />
      <p class="tools">
        {rows.length > shown.length && (
          <button type="button" onClick={() => (isWhole.value = true)}>
            Show all {rows.length} rows
          </button>
        )}
        <button
          type="button"
          data-copy="Markdown"
          onClick={async () => {
            said.value = (await copyText(markdown()))
              ? `Copied ${rows.length} rows as Markdown.`
              : 'The browser did not allow copying.'
          }}
        >
          Copy as Markdown
        </button>
        <button
          type="button"
          data-csv-of-table="board"
          onClick={() => save(`${fileName(meta.experiment, 'board')}.csv`, csv())}
        >
          Data (CSV)
        </button>
      </p>
    </div>
  )
}

function lead({ row: { id, name }, trials }: Shown, pinned: boolean, open: boolean, place: string) {
  return (
    <>
      <button
        type="button"
        class="icon"
        aria-pressed={pinned}
        aria-label={`Pin ${name}`}
        title="Pin"
        onClick={() => toggle('pin', id)}
      >
        {pinned ? '◆' : '◇'}
      </button>
      {trials > 0 && (
        <button
          type="button"
          class="icon"
          aria-expanded={open}
          aria-label={`Trials of ${name}`}
          onClick={() => toggle('open', place)}
        >
          {open ? '▾' : '▸'}
        </button>
      )}
    </>
  )
}
