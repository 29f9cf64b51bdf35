import type { Summary } from '../../results/summary.ts'
import type { Chart, ChartSpec } from '../charts/chart.ts'
import { BETTER, WORSE } from '../charts/theme.ts'
import { type Html, html } from '../html.ts'
import { figure, type PageSection, type QueryData } from './section.ts'

/** Section of single queries; the page's script fills it on use. */
export function queriesView({ cuts }: QueryData): PageSection {
  const limited: Html | null =
    cuts.length > 0
      ? html` To limit its size, this file holds only ${listed(cuts)}; the experiment folder holds everything.`
      : null
  const body = html`<p>A cell is the best rank of a query's gold in a trial; × means that none was found. Click a query to read it, and a cell to compare its trial.${limited}</p>
<div id="queries-app"></div>`
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
    caption: html`One bar per query, sorted by the difference in ${primary}. Upward bars: the first trial is better. Queries without a difference are not drawn: <span id="differences-count"></span> Click a bar to open the query.`,
    label: 'Sorted differences of every query between two trials',
    above: html`<p class="pair-names" id="differences-pair"></p>`,
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
