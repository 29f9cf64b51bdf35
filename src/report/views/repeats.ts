import type { Summary, TrialSummary } from '../../results/summary.ts'
import { term } from '../glossary.ts'
import { html } from '../html.ts'
import { measured } from '../measured.ts'
import { interval, percent, points, quantity } from '../numbers.ts'
import { enoughRepeats, shareOfSeeds } from '../repeats.ts'
import { type Column, htmlTable } from '../table.ts'
import type { PageSection } from './section.ts'

type Repeated = TrialSummary & { readonly repeats: NonNullable<TrialSummary['repeats']> }

/** Section of the variance due to seeds and to queries; null if no trial was repeated. */
export function repeatsView(summary: Summary): PageSection | null {
  const rows = summary.trials.filter((trial): trial is Repeated => trial.repeats !== undefined)
  if (rows.length === 0) return null
  const { primary } = summary
  const error = (value: number) => points(Math.sqrt(value), 2).replace('+', '')
  const share = ({ repeats }: Repeated) => shareOfSeeds(repeats)
  const columns: Column<Repeated>[] = [
    { head: 'trial', left: true, html: ({ name }) => html`<bdi>${name}</bdi>` },
    {
      head: primary,
      html: ({ measures }) => measured(summary, primary, measures[primary]?.mean),
      value: ({ measures }) => measures[primary]?.mean ?? null,
    },
    {
      head: 'interval',
      left: true,
      html: ({ measures }) =>
        html`<span class="interval">${interval(measures[primary]?.low ?? null, measures[primary]?.high ?? null)}</span>`,
    },
    {
      head: 'lowest and highest repeat',
      html: ({ repeats: { means } }) =>
        `${measured(summary, primary, Math.min(...means))} to ${measured(summary, primary, Math.max(...means))}`,
    },
    ...(['queries', 'repeats', 'rest'] as const).map(
      (part): Column<Repeated> => ({
        head: { queries: 'SE of queries', repeats: 'SE of seeds', rest: 'SE of their interaction' }[part],
        title: 'standard error of the mean in points',
        html: ({ repeats }) => error(repeats.error[part]),
        value: ({ repeats }) => Math.sqrt(repeats.error[part]),
      }),
    ),
    {
      head: 'share of seeds',
      title: 'of the variance of the mean',
      html: (row) => `${percent(share(row), 0)} %`,
      value: share,
    },
    {
      head: 'enough repeats',
      title: 'repeats at which seeds account for a tenth of that variance',
      html: ({ repeats }) => {
        const enough = enoughRepeats(repeats)
        return enough === null ? '–' : quantity(enough)
      },
      value: ({ repeats }) => enoughRepeats(repeats),
    },
  ]
  const count = rows[0].repeats.means.length
  const body = htmlTable({
    id: 'repeats-table',
    caption: html`Stochastic trials, each run with ${quantity(count)} seeds. Means are over all repeats; intervals and tests account for both new queries and new seeds. SE: ${term('standard error')} of the mean, in points. n = ${quantity(rows[0].measures[primary]?.n ?? 0)} queries.`,
    columns,
    rows,
    shown: 25,
    sortable: true,
  })
  return { id: 'repeats', title: 'Repeats', body, charts: [] }
}
