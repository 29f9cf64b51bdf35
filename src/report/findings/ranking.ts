import type { Finding, Result, TunedSummary } from '../../results/summary.ts'
import { FEWEST_QUERIES } from '../../statistics/sample.ts'
import type { Board } from '../board.ts'
import { headlineRows, rivals } from '../make-board.ts'
import { isCount, measureScale, signOf } from '../measured.ts'
import { confidence } from '../notes.ts'
import { ordinal, percent, plural, points, quantity } from '../numbers.ts'
import { lossesOf, lossInWords, ROUNDING, tiedWith } from '../outcome.ts'
import { placeOf } from '../representatives.ts'
import { listed, note, warning } from './finding.ts'

/** Findings on the order of the rows. */

export function standIn({ standIn }: Board): Finding[] {
  if (!standIn) return []
  return warning(
    'Stand-in embedder',
    `Dense results (${standIn.join(', ')}) come from \`lsa\`, which knows only the words of this corpus. A trained embedding model can reverse the order of the rows.`,
  )
}

export function fewQueries(board: Board): Finding[] {
  const n = rivals(board)[0]?.whole.n ?? 0
  if (n === 0 || n >= FEWEST_QUERIES) return []
  return warning(
    'Too few queries',
    `Means over ${plural(n, 'query', 'queries')} do not generalise to other queries. Below ${FEWEST_QUERIES} queries no row is called better or worse.`,
  )
}

export function ties(board: Board): Finding[] {
  const rows = rivals(board)
  const equal = rows.length > 0 ? tiedWith(rows) : []
  if (equal.length === 0) return []
  return note('Tie', `Tied for the first rank: ${listed([rows[0], ...equal].map(({ name }) => name))}.`)
}

const NAMED_LOSSES = 5

export function losses(board: Board): Finding[] {
  const rows = rivals(board)
  const lost = rows.length > 0 ? lossesOf(rows, signOf(board)) : []
  if (lost.length === 0) return []
  const more = lost.length - NAMED_LOSSES
  const counted = (count: number) =>
    board.isMacro ? plural(count, 'dataset') : plural(count, 'category', 'categories')
  const shown = lost.slice(0, NAMED_LOSSES).map(lossInWords).join('; ')
  return warning(
    'Where it loses',
    `${rows[0].name} scores far worse than another row in ${counted(lost.length)}: ${shown}${more > 0 ? `; and ${more} more` : ''}. The ${confidence(board.level)}intervals do not overlap. This is a description over ${counted(Object.keys(rows[0].groups).length)}, not a test.`,
  )
}

/** Measures by which the first row is not the best, worst rank first. */
export function otherLeaders(board: Board): Finding[] {
  const rows = rivals(board).map(({ row }) => row)
  const [first] = rows
  if (!first) return []
  const leaders = board.measures
    .filter((measure) => measure !== board.primary && !isCount(board, measure))
    .flatMap((measure) => {
      const sign = signOf(board, measure)
      const scored = rows.flatMap((row) => {
        const mean = row.measures[measure]?.mean
        return mean === undefined ? [] : [{ name: row.name, mean: sign * mean }]
      })
      const firstMean = sign * (first.measures[measure]?.mean ?? Number.NaN)
      const ahead = scored.filter(({ mean }) => mean - firstMean >= ROUNDING).sort((a, b) => b.mean - a.mean)
      return ahead.length > 0 ? [{ measure, rank: ahead.length + 1, leader: ahead[0].name }] : []
    })
    .sort((a, b) => b.rank - a.rank)
  if (leaders.length === 0) return []
  const parts = leaders
    .slice(0, 3)
    .map(({ measure, rank, leader }) => `${ordinal(rank)} by ${measure} (first: ${leader})`)
  const more = leaders.length - parts.length
  return note(
    'Other measures',
    `${first.name} is ${parts.join(', ')}${more > 0 ? `, and not first by ${plural(more, 'more measure')}` : ''}.`,
  )
}

/** Tuned rows below each of their trials; a warning for the winner and the baseline. */
export function belowTrials(board: Board): Finding[] {
  const { ranked, seen, primary } = board
  const sign = signOf(board)
  const headline = new Set(headlineRows(ranked))
  return ranked.flatMap((row) => {
    const mean = row.measures[primary]?.mean
    const trials = seen
      .filter((trial) => trial.strategy === row.strategy)
      .map((trial) => trial.measures[primary].mean)
    if (row.kind !== 'tuned' || mean === undefined || trials.length < 2) return []
    if (trials.some((other) => sign * (other - mean) < ROUNDING)) return []
    const range = [Math.min(...trials), Math.max(...trials)].map((value) => percent(value)).join(' to ')
    const text = `${row.name} (${percent(mean)}) scores below each of its ${trials.length} trials (${range}): they are nearly equal, and the folds chose badly between them.`
    return (headline.has(row) ? warning : note)('Below its trials', text)
  })
}

/** The tuning, or a warning that the best row was selected on its own test queries. */
export function tuning(board: Board, { tuned }: Result): Finding[] {
  const { ranked, tuning } = board
  if (tuning.kind === 'none') {
    if (ranked.length === new Set(ranked.map(({ strategy }) => strategy)).size) return []
    return warning(
      'Tuning',
      'The best trial of a strategy was selected on the same queries it is scored on, so it will probably score lower on new queries. `folds: 5` in the config tunes with cross-validation.',
    )
  }
  const scope = board.isMacro ? ' within each dataset' : ''
  const how =
    tuning.kind === 'folds'
      ? `Strategies are tuned with ${tuning.folds}-fold cross-validation${scope}: each query is scored by the trial that was best on the other folds`
      : `Strategies are tuned on ${percent(tuning.dev, 0)} % of the queries${scope} and scored on the rest`
  const winner = tuned.find((row) => row.id === ranked[0]?.id)
  return note('Tuning', `${how} (seed ${tuning.seed}).${winner ? optimismText(winner) : ''}`)
}

function optimismText({ optimism, chosen, strategy }: TunedSummary): string {
  if (optimism === null) return ''
  const on =
    chosen.length === 0
      ? `On the queries it was fitted on, ${strategy}`
      : `On the queries that selected it, the best trial of ${strategy}`
  return ` ${on} is ${points(Math.abs(optimism)).replace('+', '')} points ${optimism < 0 ? 'worse' : 'better'}: this is the optimism of tuning.`
}

/** Share of queries above which ties warn. */
const MANY_TIES = 0.05

export function tiedScores({ ranked }: Board, result: Result): Finding[] {
  const { health, primary, trials } = result
  const many = health.trials
    .flatMap(({ id, name, ties }) => (ties && ties.share > MANY_TIES ? [{ id, name, ...ties }] : []))
    .sort((a, b) => b.share - a.share)
  if (many.length === 0) return []
  const [{ name, worst, best }] = many
  const headline = new Set(headlineRows(ranked).map(({ id }) => trials[placeOf(result, id)]?.id))
  return (many.some(({ id }) => headline.has(id)) ? warning : note)(
    'Tied scores',
    `${many.length === 1 ? 'One trial has' : `${quantity(many.length)} trials have`} tied scores at the cutoff on more than ${percent(MANY_TIES, 0)} % of the queries. For ${name}, ${primary} ranges from ${percent(worst)} to ${percent(best)} depending on tie order.`,
  )
}

/** Findings on measures that hardly tell rows apart. */

/** Share of documents above which any order holds much gold. */
const NEAR = 0.25
const SATURATED = 0.97

export function nearPool({ datasets, measures }: Pick<Board, 'datasets' | 'measures'>): Finding[] {
  const cutoffOf = (name: string) => Number(/@(\d+)$/.exec(name)?.[1] ?? 0)
  return datasets.flatMap(({ documents, judgedUnit, searched = documents }) => {
    const near = measures.filter((name) => cutoffOf(name) >= NEAR * searched)
    if (judgedUnit !== 'document' || near.length === 0) return []
    const k = Math.min(...near.map(cutoffOf))
    return warning(
      'Cutoff near the pool',
      `${near.join(', ')}: a query searches ${plural(searched, 'document')}, so the first ${k} of any order hold ${percent(Math.min(1, k / searched))} % of them. Compare at a smaller cutoff.`,
    )
  })
}

export function saturated(board: Board): Finding[] {
  const { primary, comparison } = board
  const [best] = rivals(board)
  const { bounded, better } = measureScale(board, primary)
  const mean = best?.row.measures[primary]?.mean ?? 0
  if (!bounded || better === 'lower' || mean <= SATURATED) return []
  const detectable = Math.min(...(comparison?.rows ?? []).flatMap((row) => row.detectable ?? []))
  const limit = Number.isFinite(detectable)
    ? `; this comparison could detect differences of about ${percent(detectable)} points`
    : ''
  return warning(
    'Saturated measure',
    `${best.name} reaches ${percent(mean)} in ${primary}. A better row can gain ${percent(1 - mean)} points at most${limit}.`,
  )
}
