import type { MacroRow, MacroSummary } from '../../results/macro.ts'
import type { ComparedRow } from '../../results/summary.ts'
import { tuningNote } from '../leaderboard.ts'
import { signOf } from '../measured.ts'
import { corrected, plural, quantity } from '../numbers.ts'
import { confidence } from '../standings.ts'

/** One row of the table over data sets. */
export interface BoardRow extends MacroRow {
  readonly baseline: boolean
  /** Its difference to the baseline; null where that was not tested. */
  readonly compared: ComparedRow | null
}

/** Best macro mean first; rows that a data set lacks last. */
export function boardOf(macro: MacroSummary): BoardRow[] {
  const { rows, primary, comparison } = macro
  const sign = signOf(macro)
  const quality = ({ macro }: MacroRow) => (macro ? sign * macro[primary].mean : Number.NEGATIVE_INFINITY)
  const baseline = comparison?.baseline
  return [...rows]
    .sort((a, b) => quality(b) - quality(a) || 0)
    .map((row) => ({
      ...row,
      baseline: row.id === baseline,
      compared: comparison?.rows.find(({ id, baseline: own }) => id === row.id && own === baseline) ?? null,
    }))
}

/** What a compared row is called: with the other's name where every two are compared. `names` are by id. */
export function comparedName(
  { rows, comparison }: MacroSummary,
  { id, name, baseline }: ComparedRow,
  names: ReadonlyMap<string, string> = new Map(rows.map((row) => [row.id, row.name])),
): string {
  const own = names.get(id) ?? name
  return comparison?.family === 'pairs' ? `${own} − ${names.get(baseline) ?? baseline}` : own
}

/** What differences are drawn to. */
export function macroBaseline({ rows, comparison }: MacroSummary): string {
  if (comparison?.family === 'pairs') return 'the other of the pair'
  return rows.find(({ id }) => id === comparison?.baseline)?.name ?? ''
}

/** 'a (100 judged queries), b (1,190)'. */
export function datasetsInWords({ datasets }: MacroSummary): string {
  return datasets
    .map(({ name, judged }, place) =>
      place === 0
        ? `${name} (${plural(judged, 'judged query', 'judged queries')})`
        : `${name} (${quantity(judged)})`,
    )
    .join(', ')
}

/** What the macro mean and its interval say, and what they do not. */
export function macroNote(macro: MacroSummary): string {
  return `Macro mean: the unweighted mean of the means of the ${macro.datasets.length} datasets. Brackets: ${confidence(macro.level)}interval, queries resampled within each dataset; they hold for new queries of these datasets, not for other datasets.`
}

/** Whether the winner was chosen on the queries it is scored on. */
export function tuningInWords({ tuning, rows }: MacroSummary): string {
  return tuningNote(tuning, rows.length, ' within each dataset')
}

export function comparisonNote(macro: MacroSummary): string {
  const { comparison } = macro
  if (!comparison) return ''
  const { correction, rows } = comparison
  return `Differences to ${macroBaseline(macro)} are paired, by a randomization test stratified by dataset, ${corrected(correction)} over ${plural(rows.length, 'comparison')}. ▲ better, ▼ worse, ■ equivalent, ○ cannot tell. Marks of a dataset are from its own result, and missing where it did not test the pair.`
}

/** 'hybrid fusion=rrf on b'. */
export function missingInWords({ rows, datasets }: MacroSummary): string[] {
  return rows.flatMap(({ name, datasets: own }) =>
    own.flatMap((found, place) => (found ? [] : [`${name} on ${datasets[place].name}`])),
  )
}
