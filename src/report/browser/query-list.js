// @ts-check
import { meta, queries, scoresOf, trials } from './data.js'
import { element, find } from './dom.js'
import { onPair, pair } from './pair.js'
import { countOf, showQuery } from './query.js'

/** @import {Queries} from './types.d.ts' */

/** Maximum number of listed queries; the search finds the rest. */
const MAX_LISTED = 500

/**
 * The list of queries with its filters. Resolves to a function that opens a query by its number.
 * @returns {Promise<(query: number) => void>}
 */
export async function startQueries() {
  const list = document.getElementById('query-list')
  const search = find('queries-search', HTMLInputElement)
  const category = find('queries-category', HTMLSelectElement)
  const different = find('queries-different', HTMLInputElement)
  const failures = find('queries-failures', HTMLInputElement)
  const count = document.getElementById('queries-count')
  if (!list || !search || !category || !different || !failures || !count) return () => undefined
  const all = await queries()
  const { failures: failed } = await trials()
  let selected = -1
  /** @type {[Float64Array, Float64Array]} */
  let scores = [new Float64Array(0), new Float64Array(0)]
  /** @type {(query: number) => number | undefined} */
  let hops = () => undefined

  const load = async () => {
    scores = await Promise.all([scoresOf(pair.a, meta.primary), scoresOf(pair.b, meta.primary)])
    hops = await countOf(pair.a, 'hops')
  }
  const fill = () => {
    const broken = new Set(failed[pair.a].map(({ query }) => query))
    const wanted = {
      search: search.value,
      category: category.value,
      different: different.checked,
      failures: failures.checked,
    }
    const places = filterQueries(all, scores, broken, wanted)
    list.replaceChildren(
      ...places.slice(0, MAX_LISTED).map((query) => option(all, query, scores, hops(query))),
    )
    count.textContent = `${places.length} of ${all.id.length}${places.length > MAX_LISTED ? `, the first ${MAX_LISTED} listed` : ''}`
    mark()
  }
  const mark = () => {
    list.removeAttribute('aria-activedescendant')
    for (const row of list.children) {
      const chosen = row.id === `query-${selected}`
      row.setAttribute('aria-selected', String(chosen))
      if (chosen) list.setAttribute('aria-activedescendant', row.id)
    }
  }
  /** @param {number} query */
  const open = async (query) => {
    selected = query
    mark()
    const row = document.getElementById(`query-${query}`)
    if (row) {
      const below = row.offsetTop + row.offsetHeight - list.offsetTop - list.clientHeight
      if (row.offsetTop - list.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop - list.offsetTop
      else if (below > list.scrollTop) list.scrollTop = below
    }
    await showQuery(query)
  }

  list.addEventListener('click', (event) => {
    const row = event.target instanceof Element ? event.target.closest('[role="option"]') : null
    if (row instanceof HTMLElement) open(Number(row.dataset.query))
  })
  list.addEventListener('keydown', (event) => {
    const rows = [...list.children]
    const now = rows.findIndex((row) => row.id === `query-${selected}`)
    const step = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: now + 10,
      PageUp: now - 10,
    }[event.key]
    if (event.key === 'Enter') document.getElementById('query')?.focus()
    else if (step === undefined || rows.length === 0) return
    else {
      const row = rows[Math.min(rows.length - 1, Math.max(0, step))]
      if (row instanceof HTMLElement) open(Number(row.dataset.query))
    }
    event.preventDefault()
  })
  for (const control of [search, category, different, failures]) control.addEventListener('input', fill)
  onPair(async () => {
    await load()
    fill()
    if (selected >= 0) await showQuery(selected)
  })
  await load()
  fill()
  return open
}

/**
 * Indexes of the queries that pass the filters, largest differences first.
 * @param {Queries} all
 * @param {readonly [Float64Array, Float64Array]} scores of the pair
 * @param {ReadonlySet<string>} broken ids of queries on which the first trial failed
 * @param {{search: string, category: string, different: boolean, failures: boolean}} wanted
 */
export function filterQueries(all, [a, b], broken, wanted) {
  const words = wanted.search.toLowerCase().split(/\s+/).filter(Boolean)
  const places = all.id
    .map((_, query) => query)
    .filter((query) => {
      if (wanted.category && all.category[query] !== wanted.category) return false
      if (wanted.different && !(Math.abs(a[query] - b[query]) > 0)) return false
      if (wanted.failures && a[query] !== 0 && !broken.has(all.id[query])) return false
      if (words.length === 0) return true
      const text = [all.id[query], all.text[query], all.category[query], ...all.answers[query]]
        .join(' ')
        .toLowerCase()
      return words.every((word) => text.includes(word))
    })
  if (!wanted.different) return places
  return places.sort((x, y) => Math.abs(a[y] - b[y]) - Math.abs(a[x] - b[x]) || x - y)
}

/**
 * @param {Queries} all
 * @param {number} query
 * @param {readonly [Float64Array, Float64Array]} scores
 * @param {number | undefined} hops of the first trial, where it hops
 */
function option(all, query, [a, b], hops) {
  const shown = (/** @type {number} */ value) => (Number.isNaN(value) ? '–' : (100 * value).toFixed(0))
  return element(
    'div',
    { role: 'option', id: `query-${query}`, 'data-query': String(query), 'aria-selected': 'false' },
    element('span', { class: 'question', dir: 'auto' }, all.text[query]),
    element(
      'span',
      { class: 'values', title: 'first trial, second trial' },
      element('b', {}, shown(a[query])),
      ` ${shown(b[query])}`,
    ),
    element(
      'span',
      { class: 'below', dir: 'auto' },
      [all.id[query], all.category[query], hops === undefined ? '' : `hops: ${hops}`]
        .filter(Boolean)
        .join(' · '),
    ),
  )
}
