import type { Summary } from '../../results/summary.ts'
import type { Chart, ChartSpec } from '../charts/chart.ts'
import { BETTER, WORSE } from '../charts/theme.ts'
import { type Html, html } from '../html.ts'
import { choice, figure, type PageSection, type QueryData } from './section.ts'

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

/** Section of sorted per-query differences between two trials, filled by the page's script; null for one trial. */
export function differencesView({ primary }: Summary, { trials }: QueryData): PageSection | null {
  if (trials.length < 2) return null
  const chart: Chart = {
    id: 'differences',
    cell: 20,
    spec: differencesSpec(primary),
    rows: null,
    caption: html`One bar per query, sorted by the difference in ${primary}. Upward bars: the first trial is better. Queries without a difference are not drawn: <span id="differences-count"></span> Click a bar to open the query <a href="#queries">below</a>.`,
    label: 'Sorted differences of every query between two trials',
    above: html`<div class="controls">${choice('differences-a', 'Trial', trials)} ${choice('differences-b', 'minus', trials)}</div>`,
  }
  return { id: 'differences', title: 'Query by query', body: figure(chart), charts: [chart] }
}

/** Bar chart of the sorted differences, one bar per query. */
function differencesSpec(measure: string): ChartSpec {
  return {
    height: 220,
    mark: { type: 'bar', cursor: 'pointer' },
    encoding: {
      x: { field: 'place', type: 'ordinal', axis: null, scale: { paddingInner: 0.12, paddingOuter: 0 } },
      y: {
        field: 'difference',
        type: 'quantitative',
        axis: {
          title: `↑ difference in ${measure}, points`,
          tickCount: 5,
          labelExpr: "datum.value == 0 ? '0' : format(100 * datum.value, '+.0f')",
        },
      },
      color: { condition: { test: 'datum.difference > 0', value: BETTER }, value: WORSE },
      tooltip: [{ field: 'query' }, { field: 'difference', format: '+.3f' }],
    },
  }
}
