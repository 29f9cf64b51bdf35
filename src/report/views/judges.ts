import type { AnswersSummary, JudgeSummary } from '../../results/answers.ts'
import { html } from '../html.ts'
import { interval, percent, quantity } from '../numbers.ts'
import { type Column, htmlTable } from '../table.ts'

/** Tables of the judges' cost, bias and agreement with labels; null without judges. */
export function judgesView({ judges }: AnswersSummary) {
  if (!judges) return null
  const failures = judges.flatMap(({ name, failures }) => failures.map((failure) => ({ ...failure, name })))
  return html`${judgesTable(judges)}${
    failures.length === 0
      ? null
      : htmlTable({
          id: 'judge-failures',
          caption: html`First answers without a verdict; they do not count for the judge's measure.`,
          columns: [
            { head: 'judge', left: true, html: ({ name }) => html`<bdi>${name}</bdi>` },
            { head: 'question', left: true, html: ({ query }) => query },
            { head: 'reason', left: true, html: ({ message }) => html`<bdi>${message}</bdi>` },
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
  const columns: Column<JudgeSummary>[] = [
    { head: 'judge', left: true, html: ({ name }) => html`<bdi>${name}</bdi>` },
    ...(labelled
      ? ([
          {
            head: 'agrees with labels',
            title: 'share of labelled answers on which judge and label agree; 0.5 or more is yes',
            html: ({ agreement }) =>
              agreement && agreement.n > 0
                ? html`${percent(agreement.share.mean)} <span class="interval">${interval(agreement.share.low, agreement.share.high)}</span>`
                : '–',
          },
          {
            head: 'kappa',
            title: "Cohen's kappa: 1 is full agreement, 0 is chance",
            html: ({ agreement }) => (agreement?.kappa == null ? '–' : agreement.kappa.toFixed(2)),
          },
          { head: 'labels', html: ({ agreement }) => agreement?.n ?? '–' },
        ] satisfies Column<JudgeSummary>[])
      : []),
    ...(pairs
      ? ([
          {
            head: 'same in both orders',
            title: 'share of pairwise verdicts',
            html: ({ bias }) => share(bias?.consistent ?? null),
          },
          {
            head: 'prefers the first',
            title: 'share of verdicts without a tie, in either order; 50 is unbiased',
            html: ({ bias }) => share(bias?.first ?? null),
          },
          {
            head: 'prefers the longer',
            title: 'share of consistent verdicts without a tie',
            html: ({ bias }) => share(bias?.longer ?? null),
          },
        ] satisfies Column<JudgeSummary>[])
      : []),
    { head: 'model calls', html: ({ modelCalls }) => quantity(modelCalls) },
    { head: 'input tokens', html: ({ inputTokens }) => quantity(inputTokens) },
    { head: 'output tokens', html: ({ outputTokens }) => quantity(outputTokens) },
    { head: 'cut', title: 'calls that were cut at `maxTokens`', html: ({ cut = 0 }) => cut },
    { head: 'no verdict', html: ({ failed }) => failed },
  ]
  return htmlTable({
    id: 'judges',
    caption: labelled
      ? html`Cost and reliability of the LLM judges. Agreement with human labels shows how often a judge errs.`
      : html`Cost of the LLM judges. Without human labels (<code>labels</code>) the error rate of a judge is unknown.`,
    columns,
    rows: [...judges],
  })
}
