import type { MacroDataset, MacroSummary } from '../../results/macro.ts'
import { type Html, html } from '../html.ts'
import { interval, percent, quantity } from '../numbers.ts'
import { type Standing, strategiesOf } from '../standings.ts'
import { differenceColumn, intervalColumn, nameCell, rangeOf, rankedTable } from '../views/leaderboard.ts'
import { type Column, type Section, table } from '../views/section.ts'

/** The primary measure on each data set and its macro mean. */
export function meansView(
  macro: MacroSummary,
  rows: readonly Standing[],
  links: readonly (string | null)[],
): Section {
  const { datasets, primary } = macro
  const strategies = strategiesOf(macro)
  const estimates = rows.flatMap(({ measures }) => measures[primary] ?? [])
  const columns: Column<Standing>[] = [
    { head: macro.kind === 'tuned' ? 'strategy' : 'trial', text: true, cell: nameCell(strategies) },
    ...datasets.map(
      ({ name }, index): Column<Standing> => ({
        head: name,
        cell: (row) => {
          const own = row.datasets[index]?.[primary]
          return own
            ? html`<span title="${interval(own.low, own.high)}, n = ${own.n}">${percent(own.mean)}</span>`
            : '–'
        },
        value: (row) => row.datasets[index]?.[primary]?.mean ?? null,
      }),
    ),
    {
      head: 'macro mean',
      cell: ({ measures }) => html`<b>${percent(measures[primary]?.mean)}</b>`,
      value: ({ measures }) => measures[primary]?.mean ?? null,
    },
    intervalColumn(({ measures }) => measures[primary], rangeOf(estimates)),
    differenceColumn('paired difference of the macro means in points; adjusted p on hover'),
  ]
  const reports = datasets.flatMap(({ name }, index) => linked(name, links[index]) ?? [])
  return {
    id: 'means',
    title: 'Over the datasets',
    body: html`${reports.length > 0 ? html`<p>The datasets' own reports: ${reports.map((link, place) => html`${place > 0 ? ', ' : ''}${link}`)}.</p>` : null}${rankedTable(
      {
        id: 'means-table',
        caption: html`${primary} in percent. Bar and brackets are the interval of the macro mean; a dataset's own interval is on hover.`,
        columns,
        rows,
      },
    )}`,
    charts: [],
  }
}

/** The macro means of all measures. */
export function measuresView(macro: MacroSummary, rows: readonly Standing[]): Section {
  const strategies = strategiesOf(macro)
  const columns: Column<Standing>[] = [
    { head: macro.kind === 'tuned' ? 'strategy' : 'trial', text: true, cell: nameCell(strategies) },
    ...macro.measures.map(
      (measure): Column<Standing> => ({
        head: measure,
        cell: ({ measures }) => {
          const estimate = measures[measure]
          return estimate
            ? html`<span title="${interval(estimate.low, estimate.high)}">${percent(estimate.mean)}</span>`
            : '–'
        },
        value: ({ measures }) => measures[measure]?.mean ?? null,
      }),
    ),
  ]
  return {
    id: 'measures',
    title: 'Every measure',
    body: rankedTable({
      id: 'measures-table',
      caption: html`Macro means in percent; intervals on hover.`,
      columns,
      rows,
    }),
    charts: [],
  }
}

/** What was measured on, each with its report and the hash of its result. */
export function datasetsView(macro: MacroSummary, links: readonly (string | null)[]): Section {
  const body = table<MacroDataset>({
    id: 'datasets-table',
    caption: html`Each has a result and a report of its own. Hash over all results: <code>${macro.result}</code>.`,
    columns: [
      {
        head: 'dataset',
        text: true,
        cell: ({ name }, index) => linked(name, links[index]) ?? html`<bdi>${name}</bdi>`,
      },
      {
        head: 'documents',
        cell: ({ documents }) => quantity(documents),
        value: ({ documents }) => documents,
      },
      { head: 'judged queries', cell: ({ judged }) => quantity(judged), value: ({ judged }) => judged },
      { head: 'judged by', text: true, cell: ({ judgedUnit }) => judgedUnit },
      { head: 'folder', text: true, cell: ({ folder }) => folder },
      { head: 'result', text: true, cell: ({ result }) => html`<code>${result}</code>` },
    ],
    rows: macro.datasets,
  })
  return { id: 'datasets', title: 'Datasets', body, charts: [] }
}

function linked(name: string, link: string | null | undefined): Html | null {
  return link ? html`<a href="${link}"><bdi>${name}</bdi></a>` : null
}
