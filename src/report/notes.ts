import type { ComparedRow, ComparisonSummary } from '../results/summary.ts'
import { confidence, type Leaderboard, rivals } from './leaderboard-rows.ts'
import { isCount, measureScale } from './measured.ts'
import { corrected, ordinal, percent, plural, quantity } from './numbers.ts'
import { ROUNDING } from './outcome.ts'

/** Notes below a leaderboard, shared by all output formats. */

/** Title of the table of trials from which tuning selected. */
export const SEEN = 'All trials over all queries; tuning selected by these scores'

/** Names of all rows by id. */
function namesOf({ ranked, seen }: Leaderboard): Map<string, string> {
  return new Map([...ranked, ...seen].map(({ id, name }) => [id, name]))
}

/** Name of the baseline: a trial or a tuned row. */
export function baselineName(board: Leaderboard): string {
  const id = String(board.comparison?.baseline)
  return namesOf(board).get(id) ?? id
}

/** Returns a function that names a compared row, or both rows of a pair. `names` are by id. */
export function comparedName(board: Leaderboard, names = namesOf(board)): (row: ComparedRow) => string {
  const nameOf = (id: string) => names.get(id) ?? id
  return ({ id, baseline }) =>
    board.comparison?.family === 'pairs' ? `${nameOf(id)} − ${nameOf(baseline)}` : nameOf(id)
}

const FAMILIES: Readonly<Record<string, string>> = {
  'best-per-strategy': 'the best of each strategy against the baseline',
  all: 'all against the baseline',
  pairs: 'every pair',
}

/** Name of the test of these comparisons, with its resamples. */
export function testName(rows: readonly Pick<ComparedRow, 'test'>[], draws: number): string {
  return rows.some(({ test }) => test === 'student')
    ? 'Student’s t over clusters'
    : `paired bootstrap with ${quantity(draws)} resamples`
}

/** Explains significance letters and their tests; '' if no row beats another. */
export function lettersNote({ comparison, ranked }: Leaderboard): string {
  if (!comparison) return ''
  const { family, correction, level, rows } = comparison
  if (rows.every(({ verdict }) => verdict !== 'better' && verdict !== 'worse')) return ''
  const pairs =
    ranked[0]?.kind === 'tuned' && family !== 'pairs'
      ? 'each tuned strategy against the baseline'
      : (FAMILIES[family] ?? family)
  return `Letters after a mean: this row is significantly better than the rows with those letters (${testName(rows, comparison.draws)}, ${pairs}: ${plural(rows.length, 'comparison')}, ${corrected(correction)}, level ${level}).`
}

/** ' within each dataset' over several datasets, '' for one. */
export function withinWords({ one }: Pick<Leaderboard, 'one'>): string {
  return one ? '' : ' within each dataset'
}

export const OPTIMISM = 'Optimism: points that the best trial gains on the queries that selected it.'

/** Number of rows that compete with a better row of their strategy. */
export function competing({ ranked }: Leaderboard): number {
  return ranked.length - new Set(ranked.map(({ strategy }) => strategy)).size
}

/** Names the tuned rows among `rows` that score below each of their trials; '' if there are none. */
export function belowTrialsNote(
  { ranked, seen, primary, ...board }: Leaderboard,
  rows: readonly Leaderboard['ranked'][number][] = ranked,
): string {
  const sign = measureScale(board, primary).better === 'higher' ? 1 : -1
  return rows
    .flatMap(({ kind, name, strategy, measures }) => {
      const mean = measures[primary]?.mean
      const trials = seen
        .filter((trial) => trial.strategy === strategy)
        .map((trial) => trial.measures[primary].mean)
      if (kind !== 'tuned' || mean === undefined || trials.length < 2) return []
      if (trials.some((other) => sign * (other - mean) < ROUNDING)) return []
      const range = [Math.min(...trials), Math.max(...trials)].map((value) => percent(value)).join(' to ')
      return `${name} (${percent(mean)}) scores below each of its ${trials.length} trials (${range}): they are nearly equal, and the folds chose badly between them.`
    })
    .join(' ')
}

/** Describes how rows were tuned, or warns that the best of several rows was selected on its own test queries. */
export function tuningNote(board: Leaderboard): string {
  const { tuning } = board
  const within = withinWords(board)
  if (tuning.kind === 'folds')
    return `Strategies are tuned with ${tuning.folds}-fold cross-validation${within}: each query is scored by the trial that was best on the other folds.`
  if (tuning.kind === 'split')
    return `Strategies are tuned on ${percent(tuning.dev, 0)} % of the queries${within} and scored on the rest.`
  return competing(board) === 0
    ? ''
    : 'The best trial of a strategy was selected on the same queries it is scored on, so it will probably score lower on new queries. `folds: 5` in the config tunes with cross-validation.'
}

/** Name of the row that differences over datasets are computed against. */
export function differencesTo(board: Leaderboard): string {
  return board.comparison?.family === 'pairs' ? 'the second row of the pair' : baselineName(board)
}

/** 'a (100 judged queries), b (1,190)'. */
export function datasetsInWords({ datasets }: Leaderboard): string {
  return datasets
    .map(({ name, judged }, index) =>
      index === 0
        ? `${name} (${plural(judged, 'judged query', 'judged queries')})`
        : `${name} (${quantity(judged)})`,
    )
    .join(', ')
}

/** Defines the macro mean and the scope of its interval. */
export function macroNote({ datasets, level }: Leaderboard): string {
  return `Macro mean: unweighted mean over the ${datasets.length} datasets. Brackets: ${confidence(level)}interval for new queries of these datasets, not for other datasets.`
}

/** Names rows without a verdict and the reason; '' if there are none. */
export function untestedNote({ untested }: ComparisonSummary): string {
  return untested
    ? `No verdict: ${untested.join(', ')}. A router fitted in folds learns from the queries that score it, so a test would report false differences. Use \`split\` instead of \`folds\` to get a verdict.`
    : ''
}

/** Origin of the marks in dataset columns. */
export const MARKS_NOTE = "Each dataset's mark comes from its own test; no mark means not tested."

/** Describes the test of the differences; '' without a comparison. */
export function comparisonNote(board: Leaderboard): string {
  const { comparison } = board
  if (!comparison) return ''
  const { correction, rows } = comparison
  const untested = untestedNote(comparison)
  const test = `${corrected(correction)} over ${plural(rows.length, 'comparison')}.${untested && ` ${untested}`}`
  return board.one === null
    ? `Paired differences from ${differencesTo(board)}: ${testName(rows, comparison.draws)}, stratified by dataset, ${test} ▲ better, ▼ worse, ■ equivalent, ○ cannot tell, = identical. ${MARKS_NOTE}`
    : `Differences from ${baselineName(board)}: ${test}`
}

/** Names rows without a macro mean and the datasets that lack them; '' if all have one. */
export function missingNote({ missing }: Leaderboard): string {
  return missing.length > 0 ? `No macro mean (every query failed): ${missing.join(', ')}.` : ''
}

/** A measure by which another row leads. */
interface OtherLeader {
  readonly measure: string
  /** Rank of the first row by this measure. */
  readonly rank: number
  readonly leader: string
}

/** Measures, besides the primary one, by which the first row is not the best, worst rank first. */
export function otherLeaders(board: Leaderboard): OtherLeader[] {
  const rows = rivals(board).map(({ row }) => row)
  const [first] = rows
  if (!first) return []
  return board.measures
    .filter((measure) => measure !== board.primary && !isCount(board, measure))
    .flatMap((measure): OtherLeader[] => {
      const sign = measureScale(board, measure).better === 'higher' ? 1 : -1
      const scored = rows.flatMap((row) => {
        const mean = row.measures[measure]?.mean
        return mean === undefined ? [] : [{ name: row.name, mean: sign * mean }]
      })
      const own = sign * (first.measures[measure]?.mean ?? Number.NaN)
      const ahead = scored.filter(({ mean }) => mean - own >= ROUNDING).sort((a, b) => b.mean - a.mean)
      return ahead.length > 0 ? [{ measure, rank: ahead.length + 1, leader: ahead[0].name }] : []
    })
    .sort((a, b) => b.rank - a.rank)
}

/** '7th by recall@1 (first: naive), 5th by ndcg@10 (first: hybrid)'. */
export function otherLeadersInWords(leaders: readonly OtherLeader[], max = 3): string {
  const parts = leaders
    .slice(0, max)
    .map(({ measure, rank, leader }) => `${ordinal(rank)} by ${measure} (first: ${leader})`)
  const more = leaders.length - parts.length
  return `${parts.join(', ')}${more > 0 ? `, and not first by ${plural(more, 'more measure')}` : ''}`
}

/** Warning text if all vectors are those of `lsa`; '' otherwise. */
export function standInNote({ standIn }: Leaderboard): string {
  return standIn
    ? `Dense results (${standIn.join(', ')}) are a stand-in's: \`lsa\` knows only the words of this corpus. A trained embedding model can reverse the order of the rows.`
    : ''
}
