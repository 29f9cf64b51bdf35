import type { Summary } from '../../results/summary.ts'
import { type Html, html } from '../html.ts'
import { choice, type PageSection, type QueryData } from './section.ts'

/** Section of single queries; the page's script fills it on use. */
export function queriesView(summary: Summary, { trials, cuts }: QueryData): PageSection {
  const categories = [
    { value: '', name: 'all' },
    ...summary.dataset.categories.map(({ name }) => ({ value: name, name })),
  ]
  const limited: Html | null =
    cuts.length > 0
      ? html` To limit its size, this file holds only ${listed(cuts)}; the experiment folder holds everything.`
      : null
  const body = html`<p>Every query with its gold and the results of two trials. “Different” keeps queries on which they differ in ${summary.primary}; “failures” those on which the first scores 0 or fails. Each question shows both scores, the first trial's in bold. Arrow keys move through the list; <kbd>Enter</kbd> moves to the query.${limited}</p>
<div class="drill" id="drill">
<div class="controls">${choice('queries-a', 'Trial', trials)} ${choice('queries-b', 'and', trials)} ${choice('queries-category', 'Category', categories)}
<label>Search <input type="search" id="queries-search" autocomplete="off" spellcheck="false"></label>
<label class="check"><input type="checkbox" id="queries-different"> different</label>
<label class="check"><input type="checkbox" id="queries-failures"> failures</label>
<span id="queries-count" role="status"></span></div>
<div class="drill-body"><div class="query-list" id="query-list" role="listbox" aria-label="Queries" tabindex="0"></div>
<article class="query" id="query" aria-live="polite"><p class="empty">Select a query.</p></article></div></div>`
  return { id: 'queries', title: 'Queries', body, charts: [] }
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`
}
