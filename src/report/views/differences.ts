import type { Summary } from '../../results/summary.ts'
import type { Chart } from '../charts/chart.ts'
import { differencesSpec } from '../charts/differences.ts'
import { html } from '../html.ts'
import { choice, figure, type Section } from './section.ts'

/** A trial that can be chosen, by its place in `summary.trials`. */
export interface Choosable {
  readonly place: number
  readonly name: string
}

/** Per-query differences between two trials, sorted; the page's script fills it. Null where there is nothing to compare. */
export function differencesView(summary: Summary, trials: readonly Choosable[]): Section | null {
  if (trials.length < 2) return null
  const options = trials.map(({ place, name }) => ({ value: String(place), name }))
  const chart: Chart = {
    id: 'differences',
    cell: 20,
    spec: differencesSpec(summary.primary),
    rows: null,
    caption: html`One bar a query, sorted by the difference in ${summary.primary}; bars that go up are queries on which the first trial is better. Queries without a difference are left out of the picture and counted: <span id="differences-count"></span> A click on a bar opens the query <a href="#queries">below</a>.`,
    label: 'Sorted differences of every query between two trials',
    above: html`<div class="controls">${choice('differences-a', 'Trial', options)} ${choice('differences-b', 'minus', options)}</div>`,
  }
  return { id: 'differences', title: 'Query by query', body: figure(chart), charts: [chart] }
}
