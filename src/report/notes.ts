import type { MacroSummary } from '../results/macro.ts'
import type { ComparedRow, ComparisonSummary, TuningSummary } from '../results/summary.ts'
import { confidence, leaderboardOf, type Result } from './leaderboard-rows.ts'
import { corrected, percent, plural, quantity } from './numbers.ts'

/** What a leaderboard says in words, whoever writes it. */

/** The title of the trials among which tuning chose. */
export const SEEN = 'All trials over all queries; tuning used these scores to choose'

/** The names of all rows by id. */
function namesOf(result: Result): Map<string, string> {
  const { ranked, seen } = leaderboardOf(result)
  return new Map([...ranked, ...seen].map(({ id, name }) => [id, name]))
}

/** The name of what differences are drawn to: a trial, or a tuned row. */
export function baselineName(result: Result): string {
  const id = String(result.comparison?.baseline)
  return namesOf(result).get(id) ?? id
}

/** What compared rows are called, both of a pair. `names` are by id. */
export function comparedName(result: Result, names = namesOf(result)): (row: ComparedRow) => string {
  const of = (id: string) => names.get(id) ?? id
  return ({ id, baseline }) =>
    result.comparison?.family === 'pairs' ? `${of(id)} − ${of(baseline)}` : of(id)
}

const FAMILIES: Readonly<Record<string, string>> = {
  'best-per-strategy': 'the best of each strategy against the baseline',
  all: 'all against the baseline',
  pairs: 'every pair',
}

/** What letters mean, and of which tests; '' where no row beats another. */
export function lettersNote(result: Result): string {
  const { comparison } = result
  if (!comparison) return ''
  const { family, correction, level, rows } = comparison
  if (rows.every(({ verdict }) => verdict !== 'better' && verdict !== 'worse')) return ''
  const who =
    leaderboardOf(result).ranked[0]?.kind === 'tuned' && family !== 'pairs'
      ? 'each tuned strategy against the baseline'
      : (FAMILIES[family] ?? family)
  return `Letters beside a mean: the rows that it beats (paired randomization test, ${who}: ${plural(rows.length, 'comparison')}, ${corrected(correction)}, level ${level}).`
}

/** Where so few draws, multiplied by the comparisons, can find nothing however large; '' elsewhere. */
export function drawsNote({ correction, rows, draws, level }: ComparisonSummary): string {
  const multiplied = correction === 'holm' || correction === 'bonferroni'
  if (!multiplied || rows.length / (draws + 1) <= level) return ''
  return `${quantity(draws)} draws are too few for any finding here: the smallest p times ${plural(rows.length, 'comparison')} is above ${level}. \`correction: max-t\` does not multiply.`
}

export const OPTIMISM = 'Optimism: how many points more the best trial scores on the queries that chose it.'

/** Whether the winner of so many rows was chosen on the queries it is scored on, in words. */
export function tuningNote(tuning: TuningSummary, rows: number, within = ''): string {
  if (tuning.kind === 'folds')
    return `Strategies are tuned by ${tuning.folds} folds${within}: each query is scored by the trial that was best on the other folds.`
  if (tuning.kind === 'split')
    return `Strategies are tuned on ${percent(tuning.dev, 0)} % of the queries${within} and scored on the rest.`
  return rows < 2
    ? ''
    : 'The first row was chosen on the queries that score it, so it will probably score less on new ones; `folds: 5` in the config chooses on other queries.'
}

/** What differences over datasets are drawn to. */
export function differencesTo(macro: MacroSummary): string {
  return macro.comparison?.family === 'pairs' ? 'the other of the pair' : baselineName(macro)
}

/** 'a (100 judged queries), b (1,190)'. */
export function datasetsInWords({ datasets }: MacroSummary): string {
  return datasets
    .map(({ name, judged }, index) =>
      index === 0
        ? `${name} (${plural(judged, 'judged query', 'judged queries')})`
        : `${name} (${quantity(judged)})`,
    )
    .join(', ')
}

/** What the macro mean and its interval say, and what they do not. */
export function macroNote(macro: MacroSummary): string {
  return `Macro mean: the unweighted mean of the means of the ${macro.datasets.length} datasets. Brackets: ${confidence(macro.level)}interval; they hold for new queries of these datasets, not for other datasets.`
}

/** Rows that get no verdict, and why; '' where there are none. */
export function untestedNote({ untested }: ComparisonSummary): string {
  return untested
    ? `No verdict: ${untested.join(', ')}. A router fitted in folds learns from the queries that score it, and a test would find differences that are not there; \`split\` in place of \`folds\` gives a verdict.`
    : ''
}

/** How differences were tested; '' where none was. */
export function comparisonNote(result: Result): string {
  const { comparison } = result
  if (!comparison) return ''
  const { correction, rows } = comparison
  const untested = untestedNote(comparison)
  const how = `${corrected(correction)} over ${plural(rows.length, 'comparison')}.${untested && ` ${untested}`}`
  return 'rows' in result
    ? `Differences to ${differencesTo(result)} are paired, by a randomization test stratified by dataset, ${how} ▲ better, ▼ worse, ■ equivalent, ○ cannot tell, = identical. Marks of a dataset are from its own result, and missing where it did not test the pair.`
    : `Differences to ${baselineName(result)}, ${how}`
}

/** Which rows have no macro mean, and why; '' where all have one. */
export function missingNote({ rows, datasets }: MacroSummary): string {
  const missing = rows.flatMap(({ name, datasets: own }) =>
    own.flatMap((found, index) => (found ? [] : [`${name} on ${datasets[index].name}`])),
  )
  return missing.length > 0
    ? `Without a macro mean, because every query failed or a race stopped the trial there: ${missing.join(', ')}.`
    : ''
}
