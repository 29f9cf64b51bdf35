import type { Summary, TrialHealth } from '../../results/summary.ts'
import { fallbackLines, foundNothingLines, thinGraphLines } from '../data-notes.ts'
import { term } from '../glossary.ts'
import { type Html, html } from '../html.ts'
import { signOf } from '../measured.ts'
import { percent, plural, quantity } from '../numbers.ts'
import { type Column, htmlTable } from '../table.ts'
import type { PageSection } from './section.ts'

/** Maximum number of ids in a sentence. */
const NAMED = 12

/**
 * Section of threats to validity: ceilings, ties, missing labels, small groups, thin graphs, texts without effect,
 * failed queries.
 */
export function healthView(summary: Summary): PageSection {
  const { primary, health, dataset, comparison } = summary
  const { unsolved, small, trials } = health
  const level = comparison?.level ?? 0.05
  const counted = summary.trials[0]?.measures[primary]?.n ?? 0
  const items = [
    signOf(summary) < 0
      ? null
      : unsolved.length > 0
        ? html`<b>Unsolved.</b> ${plural(unsolved.length, 'query has', 'queries have')} no trial above 0 in ${primary}: ${named(unsolved, queryLink)}. They lower every mean by the same amount. Check them for wrong labels, or for passages that all strategies miss.`
        : html`<b>Unsolved.</b> None: at least one trial scores above 0 in ${primary} on every query.`,
    ...foundNothingLines(summary).map((line) => html`<b>No gold.</b> ${line}`),
    ...fallbackLines(summary).map((line) => html`<b>Fallback.</b> ${line}`),
    ...thinGraphLines(summary.indexes).map((line) => html`<b>Thin graph.</b> ${line}`),
    ...summary.unread.map((line) => html`<b>Not read.</b> ${line}.`),
    small.length > 0
      ? html`<b>Too small.</b> ${named(small.map(({ name, queries }) => `${name} (${queries})`))}: even a trial that is better on every query there would not reach p ≤ ${level}.`
      : null,
    trials.length > 0 && trials.every(({ unjudged }) => unjudged)
      ? null
      : html`<b>Unjudged.</b> Only relevant results have labels, so a relevant ${dataset.judgedUnit} without a label counts as a miss.`,
  ]
  return {
    id: 'health',
    title: 'Data health',
    body: html`<ul class="findings">${items.filter((item) => item !== null).map((item) => html`<li>${item}</li>\n`)}</ul>${trials.length > 0 ? trialTable(summary) : null}${failureTable(summary)}`,
    charts: [],
  }

  function trialTable({ health }: Summary): Html {
    const means = new Map(summary.trials.map(({ id, measures }) => [id, measures[primary]?.mean ?? 0]))
    const meanOf = (id: string) => means.get(id) ?? 0
    const judged = health.trials.find(({ unjudged }) => unjudged)?.unjudged
    const isBounded = health.trials.some(({ bounds }) => bounds)
    const columns: (Column<TrialHealth> | null)[] = [
      { head: 'trial', left: true, html: ({ name }) => name },
      {
        head: 'at the ceiling',
        note: 'of queries',
        html: ({ ceiling }) => share(ceiling),
        value: ({ ceiling }) => ceiling,
      },
      {
        head: 'decided by ties',
        note: 'of queries',
        html: ({ ties }) => share(ties?.share ?? null),
        value: ({ ties }) => ties?.share ?? null,
      },
      {
        head: `${primary}, worst`,
        note: 'tie order',
        html: ({ ties }) => percent(ties?.worst),
        value: ({ ties }) => ties?.worst ?? null,
      },
      {
        head: `${primary}, best`,
        note: 'tie order',
        html: ({ ties }) => percent(ties?.best),
        value: ({ ties }) => ties?.best ?? null,
      },
      judged
        ? {
            head: 'unjudged',
            note: `of the first ${judged.k}`,
            html: ({ unjudged }) => share(unjudged?.share ?? null),
            value: ({ unjudged }) => unjudged?.share ?? null,
          }
        : null,
      ...(isBounded
        ? (['condensed', 'relevant'] as const).map(
            (assumed): Column<TrialHealth> => ({
              head: primary,
              note: assumed === 'condensed' ? 'unjudged left out' : 'unjudged relevant',
              html: ({ bounds }) => percent(bounds?.[assumed]),
              value: ({ bounds }) => bounds?.[assumed] ?? null,
            }),
          )
        : []),
    ]
    return htmlTable<TrialHealth>({
      id: 'health-table',
      caption: html`Finalists in ${primary}, n = ${plural(counted, 'query', 'queries')}. A query at the ceiling cannot improve. ${term('tied scores', 'Tied scores')} are ordered by id; every value between the worst and the best order is equally valid.${judged ? ' Results without a label count as not relevant, so a trial that finds new relevant results may be better than it looks.' : null}${isBounded ? ' The last columns leave unjudged results out, as bpref does, and take them as relevant.' : null}`,
      columns: columns.filter((column) => column !== null),
      rows: [...health.trials].sort((a, b) => meanOf(b.id) - meanOf(a.id)),
      shown: 12,
      sortable: true,
    })
  }
}

/** First failures of each trial; null if no query failed. */
function failureTable({ trials }: Summary): Html | null {
  const failures = trials.flatMap(({ name, failures }) => failures.map((failure) => ({ name, ...failure })))
  if (failures.length === 0) return null
  return htmlTable({
    id: 'failures',
    caption: html`The first failures of each trial, with the message of the step that failed. A failed query counts as 0.`,
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
}

function share(value: number | null): string {
  return value === null ? '–' : `${percent(value)} %`
}

function named(items: readonly string[], show: (item: string) => Html = (item) => html`${item}`): Html {
  const shown = items
    .slice(0, NAMED)
    .map((item, index) => html`${index > 0 ? ', ' : ''}<bdi>${show(item)}</bdi>`)
  return html`${shown}${items.length > NAMED ? ` and ${quantity(items.length - NAMED)} more` : null}`
}

/** Link that opens a query. */
function queryLink(id: string): Html {
  return html`<a href="#queries?${new URLSearchParams({ q: id }).toString()}">${id}</a>`
}
