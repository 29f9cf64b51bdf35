import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { meta } from './data.ts'
import { choiceOf, type Exploration, explore, filtered, firstFlipped, OUTCOMES } from './explore.ts'
import { QueryDetail } from './query.tsx'
import { Select, useLoaded } from './select.tsx'
import { change, pairOf, param } from './state.ts'

const SHOWN = Object.entries(OUTCOMES)
const ORDERS = [
  ['', 'by id'],
  ['difference', 'by difference'],
] as const
const PAGE = 100

export function QueryExplorer() {
  const [a, b] = pairOf()
  const data = useLoaded(() => explore(a, b), [a, b])
  const scroller = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState(false)
  const wanted = {
    text: param('find'),
    category: param('category'),
    outcome: param('outcome'),
    arm: param('arm'),
    order: param('order'),
  }
  const rows = useMemo(
    () => (data ? filtered(data, wanted) : []),
    [data, wanted.text, wanted.category, wanted.outcome, wanted.arm, wanted.order],
  )
  const open = !data ? -1 : param('q') ? data.queries.id.indexOf(param('q')) : firstFlipped(data, rows)
  const at = rows.indexOf(open)
  const [count, setCount] = useState(PAGE)
  const drawn = rows.slice(0, Math.max(count, at + 1))
  useEffect(() => {
    const list = scroller.current
    const row = list?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (!list || !row) return
    const [top, head] = [row.offsetTop, list.querySelector('thead')?.clientHeight ?? 0]
    if (top - head < list.scrollTop || top + row.clientHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top - list.clientHeight / 2
  }, [data, open])
  // Typing redraws neither the options nor the open query.
  const options = useMemo(
    () => (data ? meta.shape.trials.map((trial) => [String(trial), data.trials[trial].name] as const) : []),
    [data],
  )
  const categories = useMemo(() => categoriesOf(data?.queries.category ?? []), [data])
  const arms = useMemo(() => armsOf(data?.routed ?? []), [data])
  const detail = useMemo(() => open >= 0 && <QueryDetail query={open} a={a} b={b} />, [open, a, b])
  if (!data) return <p class="empty">Reading the queries…</p>
  const { queries: all, trials: tried, best, columns } = data
  const select = (query: number) => change({ q: all.id[query] }, param('q') !== '')
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }[
      event.key
    ]
    if (event.key === 'Enter' && event.target === event.currentTarget)
      document.getElementById('query')?.focus()
    if (step === undefined || rows.length === 0) return
    event.preventDefault()
    select(rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + step))])
  }
  const active = [wanted.category, wanted.outcome, wanted.arm, wanted.order].filter(Boolean).length
  /** A trial's name where two columns have one strategy. */
  const headOf = (trial: number) =>
    columns.filter((column) => tried[column].strategy === tried[trial].strategy).length > 1
      ? tried[trial].name
      : tried[trial].strategy
  return (
    <div class="drill" id="drill">
      <div class="controls">
        <Select id="queries-a" name="a" label="Trial" value={String(a)} options={options} />
        <button
          type="button"
          id="queries-swap"
          title="Swap the trials"
          aria-label="Swap the trials"
          onClick={() => change({ a: String(b), b: String(a) })}
        >
          ⇄
        </button>
        <Select id="queries-b" name="b" label="and" value={String(b)} options={options} />
        <button
          type="button"
          class="show-filters"
          aria-expanded={shown}
          aria-controls="queries-filters"
          onClick={() => setShown(!shown)}
        >
          Filters{active > 0 && ` (${active})`}
        </button>
        <div class={shown ? 'filters open' : 'filters'} id="queries-filters">
          {categories.length > 1 && (
            <Select id="queries-category" name="category" label="Category" options={categories} />
          )}
          <Select id="queries-outcome" name="outcome" label="Show" options={SHOWN} />
          {arms.length > 1 && <Select id="queries-arm" name="arm" label="Router arm" options={arms} />}
          <Select id="queries-order" name="order" label="Order" options={ORDERS} />
        </div>
        <label class="search">
          <span>Search</span>{' '}
          <input
            type="search"
            id="queries-search"
            placeholder="question, id or gold"
            autocomplete="off"
            spellcheck={false}
            value={wanted.text}
            onInput={(event) => change({ find: event.currentTarget.value }, true)}
          />
        </label>
        <span id="queries-count" role="status">
          {rows.length} of {all.id.length}
        </span>
      </div>
      <div class="drill-body">
        <div
          class="matrix"
          id="query-list"
          ref={scroller}
          tabIndex={0}
          role="group"
          aria-label="Queries; arrow keys move"
          onKeyDown={move}
        >
          <table role="grid" aria-rowcount={rows.length + 1}>
            <thead>
              <tr>
                <th scope="col" class="text">
                  query
                </th>
                {columns.map((trial, column) => (
                  <th
                    scope="col"
                    key={trial}
                    title={tried[trial].name}
                    class={column < 2 ? 'compared' : undefined}
                  >
                    <button
                      type="button"
                      class="sort"
                      disabled={column < 2}
                      onClick={() => change({ b: String(trial) })}
                    >
                      {headOf(trial)}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {drawn.map((query, place) => {
                const hops = data.hops(query)
                return (
                  <tr
                    key={query}
                    id={`query-${query}`}
                    data-query={String(query)}
                    aria-selected={query === open}
                    aria-rowindex={place + 2}
                    onClick={() => select(query)}
                  >
                    <th scope="row" class="text">
                      <span class="question" dir="auto">
                        {all.text[query]}
                      </span>
                      <span class="below" dir="auto">
                        {[all.id[query], all.category[query], hops === undefined ? '' : `hops: ${hops}`]
                          .filter(Boolean)
                          .join(' · ')}
                      </span>
                    </th>
                    {columns.map((trial, column) =>
                      rankCell(
                        best[column][query],
                        tried[trial].name,
                        column < 2 ? undefined : () => change({ b: String(trial), q: all.id[query] }),
                      ),
                    )}
                  </tr>
                )
              })}
            </tbody>
          </table>
          {drawn.length < rows.length && (
            <button type="button" class="link" onClick={() => setCount(drawn.length + 5 * PAGE)}>
              {rows.length - drawn.length} more queries
            </button>
          )}
        </div>
        {detail || (
          <article class="query" id="query">
            <p class="empty">
              {param('q') ? `No query has the id ${param('q')}. Select a query.` : 'Select a query.'}
            </p>
          </article>
        )}
      </div>
    </div>
  )
}

function categoriesOf(all: readonly string[]) {
  return ['', ...new Set(all.filter(Boolean))].map((name) => [name, name || 'all'] as const)
}

function armsOf(routed: Exploration['routed']) {
  const choices = routed.map((choice) => {
    const name = choiceOf(choice)
    return [name, `${name} (${choice.queries.length})`] as const
  })
  return [['', 'all'] as const, ...choices]
}

/** Best gold rank as a number on a colour. */
function rankCell(rank: number, name: string, compare: (() => void) | undefined) {
  const words = rank > 0 ? `first gold at rank ${rank}` : rank === 0 ? 'no gold found' : 'no gold'
  const step = rank < 1 ? -1 : rank === 1 ? 8 : rank <= 5 ? 6 : rank <= 10 ? 3 : 1
  return (
    <td
      class={step >= 0 ? `rank fill-${step}` : 'rank none'}
      title={`${name}: ${words}${compare ? '; click to compare' : ''}`}
      onClick={compare}
    >
      {rank > 0 ? rank : rank === 0 ? '×' : ''}
    </td>
  )
}
