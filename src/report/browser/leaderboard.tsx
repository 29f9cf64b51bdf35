/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import type { BoardData, BoardRow } from '../detail/board-data.ts'
import { rowsOf } from './board-rows.ts'
import { copyText, latexText, markdownText } from './copy.ts'
import { meta } from './data.ts'
import { csvText } from './files.ts'
import { Select } from './select.tsx'
import { change, param, show } from './state.ts'
import { type Head, SortedTable } from './tables.tsx'
import { Gap, useVirtual } from './virtual.tsx'

/** Pixels of a row. */
const ROW = 34

/** The leaderboard: sorted, filtered, with chosen columns, expanded strategies and pinned rows, all of it in the link. */
export function Leaderboard({ data }: { readonly data: BoardData }) {
  const { columns, categories, ranked, primary, strategies } = data
  const scroller = useRef<HTMLDivElement>(null)
  const copied = useSignal('')
  const hidden = param('hide').split(',').filter(Boolean)
  const visible = columns.flatMap(({ head }, place) => (hidden.includes(head) ? [] : [place]))
  const pinned = param('pin').split(',').filter(Boolean)
  const rows = useMemo(
    () => rowsOf(data, param('text'), param('strategy'), param('sort'), param('open').split(','), pinned),
    [data, param('text'), param('strategy'), param('sort'), param('open'), param('pin')],
  )
  const { drawn, before, after } = useVirtual(rows.length, ROW, scroller)
  const range = useMemo(() => rangeOf([...ranked, ...data.seen]), [data])
  const hasDifference =
    ranked.some(({ difference }) => difference) || data.seen.some(({ difference }) => difference)
  const options = ['', ...strategies].map((name) => [name, name || 'all'] as const)
  const toggle = (name: string, value: string) => {
    const list = param(name).split(',').filter(Boolean)
    const next = list.includes(value) ? list.filter((one) => one !== value) : [...list, value]
    change({ [name]: next.join(',') })
  }
  const head = [
    data.tuned ? 'strategy' : 'trial',
    primary,
    'interval',
    ...(hasDifference ? ['to baseline'] : []),
  ]
  const texts = () =>
    rows.map(({ row }) => [
      row.name,
      row.text,
      intervalText(row),
      ...(hasDifference ? [row.difference?.text ?? row.untested] : []),
      ...visible.map((place) => row.texts[place]),
    ])
  const copy = async (as: string) => {
    const heads = [...head, ...visible.map((place) => columns[place].head)]
    const text =
      as === 'Markdown'
        ? markdownText(heads, texts())
        : as === 'LaTeX'
          ? latexText(heads, texts())
          : csvText(heads, texts())
    copied.value = (await copyText(text))
      ? `Copied ${rows.length} rows as ${as}.`
      : 'The browser did not allow copying.'
  }
  const hasMarks = categories.length > 1
  const width = 3 + Number(hasDifference) + visible.length + Number(hasMarks)
  const heads: Head[] = [
    { key: 'name', text: head[0], isText: true },
    { key: 'mean', text: primary },
    { text: 'interval', isText: true },
    ...(hasDifference
      ? [{ key: 'difference', text: 'to baseline', title: 'paired difference in points', isText: true }]
      : []),
    ...visible.map((place) => ({
      key: String(place),
      text: columns[place].head,
      title: columns[place].title,
    })),
    ...(hasMarks
      ? [
          {
            text: marksHead(categories.length, data.allCategories),
            title: categories.join(', '),
            isText: true,
          },
        ]
      : []),
  ]
  // In the order of pinning, whatever is filtered.
  const comparable = pinned.flatMap((id) =>
    [...ranked, ...data.seen].flatMap(({ id: own, trial }) =>
      own === id && meta.shape?.trials.includes(trial) ? [trial] : [],
    ),
  )
  const canCompare = comparable.length === 2 && comparable[0] !== comparable[1]
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
          {...{ id: 'board-strategy', label: 'Strategy', value: param('strategy'), options }}
          onSelect={(strategy) => change({ strategy })}
        />
        <details class="chooser">
          <summary>Columns</summary>
          <div>
            {columns.map(({ head }) => (
              <label key={head} class="check">
                <input
                  type="checkbox"
                  checked={!hidden.includes(head)}
                  onChange={() => toggle('hide', head)}
                />{' '}
                {head}
              </label>
            ))}
          </div>
        </details>
        {data.tuned && data.seen.length > 0 && (
          <button type="button" onClick={() => change({ open: param('open') ? '' : strategies.join(',') })}>
            {param('open') ? 'Hide trials' : 'Show all trials'}
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
          {copied.value ||
            `${rows.length} rows${data.leftOut > 0 ? `; ${data.leftOut} more in \`touchstone leaderboard --csv\`` : ''}`}
        </span>
      </div>
      <SortedTable
        id="board-table"
        heads={heads}
        sort={param('sort')}
        onSort={(sort) => change({ sort })}
        label={{ 'aria-label': 'Leaderboard' }}
        scroller={scroller}
      >
        <Gap height={before} width={width} />
        {drawn.map((index) => {
          const { row, below, trials } = rows[index]
          return (
            <tr
              key={`${row.id}${below}`}
              class={
                [
                  row.baseline ? 'baseline' : '',
                  below ? 'below' : '',
                  pinned.includes(row.id) ? 'pinned' : '',
                ]
                  .filter(Boolean)
                  .join(' ') || undefined
              }
            >
              <th scope="row" class="text">
                <span class="row-name">
                  <button
                    type="button"
                    class="icon"
                    aria-pressed={pinned.includes(row.id)}
                    aria-label={`Pin ${row.name}`}
                    title="Pin"
                    onClick={() => toggle('pin', row.id)}
                  >
                    {pinned.includes(row.id) ? '◆' : '◇'}
                  </button>
                  {trials > 0 && (
                    <button
                      type="button"
                      class="icon"
                      aria-expanded={param('open').split(',').includes(row.strategy)}
                      aria-label={`Trials of ${row.strategy}`}
                      onClick={() => toggle('open', row.strategy)}
                    >
                      {param('open').split(',').includes(row.strategy) ? '▾' : '▸'}
                    </button>
                  )}
                  <svg class={`mark hue-${row.hue}`} viewBox="-6 -6 12 12" aria-hidden="true">
                    <path d={row.shape} />
                  </svg>
                  <RowName row={row} place={strategies.indexOf(row.strategy)} />
                  {row.baseline && (
                    <span class="tag">
                      <Term id="term-baseline" text="baseline" />
                    </span>
                  )}
                  {row.letter && <span class="letter">{row.letter}</span>}
                </span>
              </th>
              <td>
                <b>{row.text}</b>
                {row.beats && <sup>{row.beats}</sup>}
              </td>
              <td class="text">
                <Whisker row={row} range={range} /> <span class="interval">{intervalText(row)}</span>
              </td>
              {hasDifference && (
                <td class="text">
                  <span class={row.difference?.verdict ?? 'untested'} title={row.difference?.title}>
                    {row.difference?.text ?? row.untested}
                  </span>
                </td>
              )}
              {visible.map((place) => (
                <td key={place}>{row.texts[place]}</td>
              ))}
              {hasMarks && (
                <td class="text">
                  <Spark row={row} names={categories} />
                </td>
              )}
            </tr>
          )
        })}
        <Gap height={after} width={width} />
      </SortedTable>
      <p class="tools">
        {['Markdown', 'LaTeX', 'CSV'].map((as) => (
          <button key={as} type="button" data-copy={as} onClick={() => copy(as)}>
            Copy as {as}
          </button>
        ))}
      </p>
    </div>
  )
}

/** A row's name; its strategy opens the description of it. */
function RowName({ row: { name, strategy }, place }: { readonly row: BoardRow; readonly place: number }) {
  const rest = name.startsWith(`${strategy} `) ? name.slice(strategy.length) : ''
  return (
    <bdi title={name}>
      <Term id={`strategy-${place}`} text={rest ? strategy : name} />
      {rest}
    </bdi>
  )
}

function Term({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <button type="button" class="term" popovertarget={id}>
      {text}
    </button>
  )
}

function marksHead(count: number, all: number): string {
  return count < all ? `${count} of ${all} categories` : 'categories'
}

function intervalText({ low, high }: BoardRow): string {
  return low === null || high === null
    ? ''
    : `[${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`.replaceAll('-', '−')
}

function rangeOf(rows: readonly BoardRow[]): [from: number, to: number] {
  const ends = rows
    .flatMap(({ low, mean, high }) => [low ?? mean, high ?? mean])
    .filter((value) => value !== null)
  return [Math.min(...ends), Math.max(...ends)]
}

/** Interval as a line and mean as a dot; all rows on one scale. */
function Whisker({
  row: { mean, low, high },
  range: [from, to],
}: {
  readonly row: BoardRow
  readonly range: readonly [number, number]
}) {
  if (mean === null) return null
  const at = (value: number) => (4 + (72 * (value - from)) / Math.max(to - from, 1e-9)).toFixed(1)
  return (
    <svg class="whisker" viewBox="0 0 80 12" aria-hidden="true">
      {low !== null && high !== null && <line x1={at(low)} x2={at(high)} y1="6" y2="6" />}
      <circle cx={at(mean)} cy="6" r="2.6" />
    </svg>
  )
}

/** A bar for each category, 0 to 100 %. */
function Spark({
  row: { categories },
  names,
}: {
  readonly row: BoardRow
  readonly names: readonly string[]
}) {
  const words = categories
    .map((mean, place) => `${names[place]} ${mean === null ? '–' : (100 * mean).toFixed(0)}`)
    .join(', ')
  const width = 5 * names.length
  return (
    <svg class="spark" viewBox={`0 0 ${width} 14`} width={width} height="14" role="img" aria-label={words}>
      <title>{words}</title>
      {categories.map((mean, place) => (
        <rect
          key={names[place]}
          x={5 * place}
          width="4"
          y={14 - 14 * Math.min(1, Math.max(0, mean ?? 0))}
          height={14 * Math.min(1, Math.max(0, mean ?? 0))}
        />
      ))}
    </svg>
  )
}
