import type { MacroSummary } from '../../results/macro.ts'
import type { ComparedRow } from '../../results/summary.ts'
import { type Html, html } from '../html.ts'
import { comparedName, comparisonNote } from '../notes.ts'
import { points, quantity } from '../numbers.ts'
import { TESTED } from '../views/comparison.ts'
import { type Column, type Section, table, VERDICT_MARKS } from '../views/section.ts'

/** Every tested difference, by data set and of the macro means. Null where nothing was compared. */
export function differencesView(macro: MacroSummary): Section | null {
  const { comparison, datasets } = macro
  if (!comparison) return null
  const nameOf = comparedName(macro)
  const rows = [...comparison.rows].sort((a, b) => b.difference - a.difference)
  const columns: Column<ComparedRow>[] = [
    {
      head: macro.kind === 'tuned' ? 'strategy' : 'trial',
      text: true,
      cell: (row) => html`<bdi>${nameOf(row)}</bdi>`,
    },
    ...datasets.map(
      ({ name }, index): Column<ComparedRow> => ({
        head: name,
        cell: ({ datasets: own }) =>
          own[index].n > 0 ? marked(own[index].difference, own[index].verdict) : '–',
        value: ({ datasets: own }) => own[index].difference,
      }),
    ),
    {
      head: 'macro mean',
      cell: ({ difference, verdict }) => html`<b>${marked(difference, verdict)}</b>`,
      value: ({ difference }) => difference,
    },
    ...TESTED,
  ]
  const caption = html`Differences in ${comparison.measure}, points. ${comparisonNote(macro)} ${quantity(comparison.draws)} draws.`
  return {
    id: 'differences',
    title: 'Differences',
    body: table({ id: 'differences-table', caption, columns, rows, shown: 40, sortable: true }),
    charts: [],
  }
}

/** A difference in points with the mark and the colour of its verdict. */
function marked(difference: number, verdict: ComparedRow['verdict'] | null): Html {
  if (!verdict) return html`${points(difference)}`
  return html`<span class="${verdict.replace(' ', '-')}" title="${verdict}">${VERDICT_MARKS[verdict]} ${points(difference)}</span>`
}
