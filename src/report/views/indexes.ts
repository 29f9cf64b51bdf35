import type { Summary, TrialSummary } from '../../results/summary.ts'
import { html } from '../html.ts'
import { quantity } from '../numbers.ts'
import { type Column, type Section, table } from './section.ts'

/** What was built, and what the trials counted while they ran on it. */
export function indexesView(summary: Summary, chosen: readonly number[]): Section {
  const kinds = [...new Set(summary.indexes.flatMap(({ counts }) => Object.keys(counts)))]
  // Counts run down, since there are many of them and few variants.
  const built = table<string>({
    id: 'indexes-table',
    caption: html`What each prepared variant holds. Isolated or unlinked parts of a graph can never be found through it.`,
    columns: [
      { head: 'count', text: true, cell: words },
      ...summary.indexes.map(
        ({ name, counts }): Column<string> => ({
          head: name,
          cell: (kind) => (counts[kind] === undefined ? '' : quantity(counts[kind])),
          value: (kind) => counts[kind] ?? null,
        }),
      ),
    ],
    rows: kinds,
  })
  const prepared = html`<dl class="facts">${summary.indexes.map(({ name, prepare }) => html`<div><dt>${name}</dt><dd><code>${JSON.stringify(prepare)}</code></dd></div>`)}</dl>`
  const trials = chosen.map((place) => summary.trials[place])
  // A counter that never counted anything is left out; a router's choices have a section of their own.
  const counters = [...new Set(trials.flatMap(({ perQuery }) => Object.keys(perQuery)))].filter(
    (counter) => !counter.startsWith('arm ') && trials.some(({ perQuery }) => perQuery[counter]),
  )
  const counted = table<TrialSummary>({
    id: 'counters',
    caption: html`Means a query, as counted during the run: chunks and tokens to depth ${summary.depth}, evidence, and every counter of a trial's steps. A fallback is a named second way that a query took; none is silent.`,
    columns: [
      { head: 'trial', text: true, cell: ({ name }) => name },
      ...counters.map(
        (counter): Column<TrialSummary> => ({
          head: words(counter),
          cell: ({ perQuery }) => (perQuery[counter] === undefined ? '' : quantity(perQuery[counter])),
          value: ({ perQuery }) => perQuery[counter] ?? null,
        }),
      ),
      { head: 'failed queries', cell: ({ failed }) => quantity(failed) },
    ],
    rows: trials,
  })
  const failures = summary.trials.flatMap(({ name, failures }) =>
    failures.map((failure) => ({ name, ...failure })),
  )
  const failed =
    failures.length === 0
      ? null
      : table({
          id: 'failures',
          caption: html`The first failures of each trial, in the words of the step that failed.`,
          columns: [
            { head: 'trial', text: true, cell: ({ name }) => name },
            { head: 'query', text: true, cell: ({ query }) => query },
            { head: 'step', text: true, cell: ({ step }) => step },
            { head: 'message', text: true, cell: ({ message }) => message },
          ],
          rows: failures.slice(0, 200),
          shown: 10,
        })
  return {
    id: 'indexes',
    title: 'Indexes and counters',
    body: html`${built}${prepared}${counted}${failed}`,
    charts: [],
  }
}

/** evidenceTokens -> evidence tokens. */
function words(counter: string): string {
  return counter.replace(/[A-Z]/g, (char) => ` ${char.toLowerCase()}`)
}
