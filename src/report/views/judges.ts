import type { AnswersSummary, JudgeSummary } from '../../results/answers.ts'
import { html } from '../html.ts'
import { interval, percent, quantity } from '../numbers.ts'
import { htmlTable, type TableColumn } from './section.ts'

/** What is to be known of the judges before their verdicts are believed. Null where nobody judges. */
export function judgesView({ judges }: AnswersSummary) {
  if (!judges) return null
  const failures = judges.flatMap(({ name, failures }) => failures.map((failure) => ({ ...failure, name })))
  return html`${judgesTable(judges)}${
    failures.length === 0
      ? null
      : htmlTable({
          id: 'judge-failures',
          caption: html`The first answers that a judge gave no verdict on. They do not count for its measure.`,
          columns: [
            { head: 'judge', text: true, cell: ({ name }) => html`<bdi>${name}</bdi>` },
            { head: 'question', text: true, cell: ({ query }) => query },
            { head: 'why', text: true, cell: ({ message }) => html`<bdi>${message}</bdi>` },
          ],
          rows: failures,
          shown: 10,
        })
  }`
}

function judgesTable(judges: readonly JudgeSummary[]) {
  const share = (value: number | null) => (value === null ? '–' : percent(value))
  const labelled = judges.some(({ agreement }) => agreement)
  const pairs = judges.some(({ bias }) => bias)
  const columns: TableColumn<JudgeSummary>[] = [
    { head: 'judge', text: true, cell: ({ name }) => html`<bdi>${name}</bdi>` },
    ...(labelled
      ? ([
          {
            head: 'agrees with labels',
            title:
              'share of the labelled answers on which judge and label both say yes (a half or more) or both say no',
            cell: ({ agreement }) =>
              agreement && agreement.n > 0
                ? html`${percent(agreement.share.mean)} <span class="interval">${interval(agreement.share.low, agreement.share.high)}</span>`
                : '–',
          },
          {
            head: 'kappa',
            title: "Cohen's: 1 is full agreement, 0 no more than by chance",
            cell: ({ agreement }) => (agreement?.kappa == null ? '–' : agreement.kappa.toFixed(2)),
          },
          { head: 'labels', cell: ({ agreement }) => agreement?.n ?? '–' },
        ] satisfies TableColumn<JudgeSummary>[])
      : []),
    ...(pairs
      ? ([
          {
            head: 'same in both orders',
            title: 'of the verdicts on two answers',
            cell: ({ bias }) => share(bias?.consistent ?? null),
          },
          {
            head: 'prefers the first',
            title: 'of all that were no tie, in either order; 50 is fair',
            cell: ({ bias }) => share(bias?.first ?? null),
          },
          {
            head: 'prefers the longer',
            title: 'of those that are the same in both orders and no tie',
            cell: ({ bias }) => share(bias?.longer ?? null),
          },
        ] satisfies TableColumn<JudgeSummary>[])
      : []),
    { head: 'model calls', cell: ({ modelCalls }) => quantity(modelCalls) },
    { head: 'tokens read', cell: ({ inputTokens }) => quantity(inputTokens) },
    { head: 'tokens written', cell: ({ outputTokens }) => quantity(outputTokens) },
    { head: 'cut', title: 'calls that were cut at `maxTokens`', cell: ({ cut = 0 }) => cut },
    { head: 'no verdict', cell: ({ failed }) => failed },
  ]
  return htmlTable({
    id: 'judges',
    caption: labelled
      ? html`What the judges took. A judge may err: its agreement with labels of people says how often.`
      : html`What the judges took. A judge may err: without answers that people labelled (<code>labels</code>), nothing here says how often.`,
    columns,
    rows: [...judges],
  })
}
