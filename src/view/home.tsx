import { natural, plural, quantity } from '../report/numbers.ts'
import { say, withCode } from '../report/words.tsx'
import type { Entry, State } from './describe.ts'
import { addressOf, type ViewPage } from './frame.tsx'

interface HomeState {
  readonly search: string
  readonly sort: Sort
  readonly descending: boolean
}

interface SortColumn {
  readonly head: string
  readonly value: (entry: Entry) => string | number
  /** Order of the first click. */
  readonly descending: boolean
}

type Sort = 'name' | 'state' | 'dataset' | 'winner' | 'mean' | 'date'

const STATES: readonly State[] = ['running', 'finished', 'stopped', 'older format', 'newer format', 'damaged']

const COLUMNS: Readonly<Record<Sort, SortColumn>> = {
  name: { head: 'experiment', value: ({ name }) => name, descending: false },
  state: { head: 'state', value: ({ state }) => STATES.indexOf(state), descending: false },
  dataset: { head: 'dataset', descending: false, value: ({ datasets }) => datasets.join(', ') },
  winner: { head: 'winner', value: ({ winner }) => winner?.name ?? '', descending: false },
  mean: { head: 'primary measure', value: ({ winner }) => winner?.mean ?? -1, descending: true },
  date: { head: 'date', value: ({ date }) => date, descending: true },
}

export function homeState(query: URLSearchParams): HomeState {
  const sortKey = query.get('sort') ?? ''
  const sort: Sort = Object.hasOwn(COLUMNS, sortKey) ? (sortKey as Sort) : 'date'
  const order = query.get('order')
  return {
    search: query.get('q') ?? '',
    sort,
    descending: order === null ? COLUMNS[sort].descending : order === 'descending',
  }
}

const PAGES: Readonly<Record<string, string>> = { labels: 'Labels', ask: 'Ask trials' }

export function homePage(
  entries: readonly Entry[],
  state: HomeState,
  folder: string,
  others: readonly string[] = [],
): ViewPage {
  return {
    title: 'Experiments',
    heading: (
      <>
        <h1>Experiments</h1>
        <p class="subtitle">
          {folder}
          {others.map((page) => say` · ${<a href={`/${page}`}>{PAGES[page]}</a>}`)}
        </p>
      </>
    ),
    main: <section>{entries.length === 0 ? emptyFolder(folder) : list(entries, state)}</section>,
    live: true,
  }
}

function emptyFolder(folder: string) {
  return (
    <>
      <p class="lead">There is no experiment in {folder}.</p>
      <p>
        Run one, and it appears here: <code>touchstone run CONFIG</code> writes to <code>experiments/</code>{' '}
        in its working folder. <code>touchstone init</code> writes a first config. To look at another folder,
        name it: <code>touchstone view FOLDER</code>.
      </p>
    </>
  )
}

function list(entries: readonly Entry[], state: HomeState) {
  const shown = entries.filter((entry) => matches(entry, state.search)).sort(byState(state))
  const comparable = entries.filter(isComparable).length > 1
  const all = plural(entries.length, 'experiment')
  return (
    <>
      <form class="controls" action="/" method="get" role="search">
        <label>
          Search{' '}
          <input
            type="search"
            name="q"
            id="search"
            value={state.search}
            placeholder="name, dataset, winner, state"
            autocomplete="off"
          />
        </label>
        <input type="hidden" name="sort" value={state.sort} />
        <input type="hidden" name="order" value={orderWord(state.descending)} />
        <button type="submit" id="search-button">
          Search
        </button>
        <span role="status">
          {shown.length === entries.length ? all : `${quantity(shown.length)} of ${all}`}
        </span>
        {comparable && (
          <button type="submit" form="compare">
            Compare selected
          </button>
        )}
      </form>
      <form action="/compare" method="get" id="compare">
        <div class="scroll" tabIndex={0} role="group" aria-label="Experiments">
          <table class="experiments">
            <thead>
              <tr>
                {comparable && (
                  <th class="pick" scope="col">
                    <span class="hidden">compare</span>
                  </th>
                )}
                {Object.entries(COLUMNS).map(([name, column]) => headCell(name as Sort, column, state))}
              </tr>
            </thead>
            <tbody>{shown.map((entry) => row(entry, comparable))}</tbody>
          </table>
        </div>
        {shown.length === 0 && (
          <p class="empty">
            No experiment matches <q>{state.search}</q>.
          </p>
        )}
      </form>
    </>
  )
}

function matches({ name, datasets, tags, winner, primary, state, reason }: Entry, search: string): boolean {
  const text = [name, ...tags, ...datasets, winner?.name, primary, state, reason].join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function byState({ sort, descending }: HomeState): (a: Entry, b: Entry) => number {
  const { value } = COLUMNS[sort]
  return (a, b) => {
    const [x, y] = [value(a), value(b)]
    const order = typeof x === 'string' ? natural(x, String(y)) : x - (typeof y === 'number' ? y : 0)
    return (descending ? -order : order) || natural(a.name, b.name)
  }
}

const orderWord = (descending: boolean) => (descending ? 'descending' : 'ascending')

function headCell(name: Sort, { head, descending }: SortColumn, state: HomeState) {
  const isSorted = state.sort === name
  const next = isSorted ? !state.descending : descending
  const query = new URLSearchParams({
    ...(state.search !== '' && { q: state.search }),
    sort: name,
    order: orderWord(next),
  })
  return (
    <th scope="col" class="text" aria-sort={isSorted ? orderWord(state.descending) : undefined}>
      <a class="sort" id={`sort-${name}`} href={`/?${query}`}>
        {head}
      </a>
    </th>
  )
}

function isComparable({ state }: Entry): boolean {
  return state === 'finished'
}

function row(entry: Entry, comparable: boolean) {
  const { name, state, reason, datasets, tags, winner, date } = entry
  return (
    <tr id={`row-${name}`}>
      {comparable && (
        <td class="pick">
          {isComparable(entry) && (
            <input type="checkbox" name="with" value={name} aria-label={`Compare ${name}`} />
          )}
        </td>
      )}
      <th scope="row">
        <a href={addressOf(state === 'finished' ? 'report' : 'live', name)}>
          <bdi>{name}</bdi>
        </a>
        {tags.map((tag) => [' ', <span class="tag">{tag}</span>])}
      </th>
      <td class="text">
        {stateMark(entry)}
        {reason !== '' && <small class="reason">{withCode(reason)}</small>}
      </td>
      <td class="text">
        <bdi>{datasets.join(', ')}</bdi>
      </td>
      <td class="text">{winner && <bdi>{winner.name}</bdi>}</td>
      <td class="text mean">{primaryOf(entry)}</td>
      <td class="text when">{dateTime(date)}</td>
    </tr>
  )
}

export function primaryOf({ winner, primary }: Pick<Entry, 'winner' | 'primary'>) {
  const measure = primary !== '' && <span class="measure">{primary}</span>
  if (!winner) return measure
  return say`${<b>{winner.shown}</b>} ${<span class="interval">{winner.interval}</span>} ${measure}`
}

export function stateMark({ state, progress }: Pick<Entry, 'state' | 'progress'>) {
  const step = progress?.steps.findLast(({ done, total }) => done < total)
  const far = step && (
    <small>
      {step.what} {step.total > 1 && `${step.done}/${step.total}`}
    </small>
  )
  return say`${<span class={`state ${state.replace(' ', '-')}`}>{state}</span>}${far && say` ${far}`}`
}

/** `2026-11-25 13:05` in the server's time zone. */
export function dateTime(milliseconds: number) {
  const date = new Date(milliseconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return (
    <time datetime={date.toISOString()}>{`${day} ${two(date.getHours())}:${two(date.getMinutes())}`}</time>
  )
}
