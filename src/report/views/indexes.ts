import type { Summary, TrialSummary } from '../../results/summary.ts'
import { thinGraphLines } from '../data-notes.ts'
import { html } from '../html.ts'
import { percent, plural, quantity } from '../numbers.ts'
import { type Column, htmlTable } from '../table.ts'
import type { PageSection } from './section.ts'

/** Section of the prepared indexes, the step counters of all trials, and failures. */
export function indexesView(summary: Summary): PageSection {
  const kinds = [...new Set(summary.indexes.flatMap(({ counts }) => Object.keys(counts)))]
  // One row per count: there are many counts and few variants.
  const built = htmlTable<string>({
    id: 'indexes-table',
    caption: html`Contents of each prepared variant. Isolated parts of a graph cannot be reached through it.`,
    columns: [
      { head: 'count', left: true, html: words },
      ...summary.indexes.map(
        ({ name, counts }): Column<string> => ({
          head: name,
          html: (kind) => (counts[kind] === undefined ? '' : countOf(counts, kind)),
          value: (kind) => counts[kind] ?? null,
        }),
      ),
    ],
    rows: kinds,
  })
  const prepared = html`<dl class="facts">${summary.indexes.map(({ name, prepare }) => html`<div><dt>${name}</dt><dd><code>${JSON.stringify(prepare)}</code></dd></div>`)}</dl>`
  const foreign = summary.indexes.flatMap(({ name, foreign = [] }) =>
    foreign.map((line) => html`<p>${name}: ${line}.</p>`),
  )
  const { trials } = summary
  // Counters that are 0 everywhere are omitted, except `links`.
  const counters = [...new Set(trials.flatMap(({ perQuery }) => Object.keys(perQuery)))].filter(
    (counter) =>
      counter !== 'linked' && (counter === 'links' || trials.some(({ perQuery }) => perQuery[counter])),
  )
  const reasons = trials.some(({ fallbacks }) => fallbacks.length > 0)
  const counted = htmlTable<TrialSummary>({
    id: 'counters',
    caption: html`Means per query over all trials: chunks retrieved to depth ${summary.depth}, tokens of the first ${plural(summary.context.chunks, 'chunk')}, evidence tokens, and every counter of a trial's steps. Queries linked: share of queries with at least one link. Fallbacks: uses of a strategy's second method.`,
    columns: [
      { head: 'trial', left: true, html: ({ name }) => name },
      ...counters.flatMap((counter): Column<TrialSummary>[] => {
        const mean: Column<TrialSummary> = {
          head: words(counter),
          html: ({ perQuery }) => (perQuery[counter] === undefined ? '' : quantity(perQuery[counter])),
          value: ({ perQuery }) => perQuery[counter] ?? null,
        }
        return counter === 'links' ? [mean, LINKED] : [mean]
      }),
      { head: 'failed queries', html: ({ failed }) => quantity(failed) },
      ...(reasons ? [FELL_BACK] : []),
    ],
    rows: trials,
    shown: SHOWN,
    whole: html`<code>summary.json</code> has`,
  })
  const failures = summary.trials.flatMap(({ name, failures }) =>
    failures.map((failure) => ({ name, ...failure })),
  )
  const failed =
    failures.length === 0
      ? null
      : htmlTable({
          id: 'failures',
          caption: html`The first failures of each trial, with the message of the step that failed.`,
          columns: [
            { head: 'trial', left: true, html: ({ name }) => name },
            { head: 'query', left: true, html: ({ query }) => query },
            { head: 'step', left: true, html: ({ step }) => step },
            { head: 'message', left: true, html: ({ message }) => message },
          ],
          rows: failures,
          shown: 10,
          whole: html`<code>summary.json</code> has`,
        })
  return {
    id: 'indexes',
    title: 'Indexes and counters',
    body: html`${thinGraphLines(summary.indexes).map((line) => html`<p>${line}</p>`)}${foreign}${built}${prepared}${counted}${failed}`,
    charts: [],
  }
}

/** Number of rows of the counter table shown before "show all". */
const SHOWN = 40

const LINKED: Column<TrialSummary> = {
  head: 'queries linked',
  html: ({ perQuery: { linked } }) => (linked === undefined ? '' : `${percent(linked)} %`),
  value: ({ perQuery: { linked } }) => linked ?? null,
}

const FELL_BACK: Column<TrialSummary> = {
  head: 'fallback reason',
  left: true,
  html: ({ fallbacks }) => fallbacks.map(({ when, share }) => `${when} (${percent(share)} %)`).join('; '),
}

/** A count as text; with its share for queries whose answer is an entity. */
function countOf(counts: Readonly<Record<string, number>>, kind: string): string {
  const count = quantity(counts[kind])
  return kind === 'queriesWithAnswerEntity'
    ? `${count} (${percent(counts[kind] / counts.queriesWithAnswers)} %)`
    : count
}

const LABELS: Readonly<Record<string, string>> = {
  queriesWithAnswers: 'queries with an answer',
  queriesWithAnswerEntity: 'queries whose answer is an entity',
}

/** evidenceTokens -> evidence tokens. */
function words(counter: string): string {
  return LABELS[counter] ?? counter.replace(/[A-Z]/g, (char) => ` ${char.toLowerCase()}`)
}
