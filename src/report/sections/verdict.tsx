import type { ComponentChildren } from 'preact'
import type { Summary } from '../../results/summary.ts'
import { type Board, type BoardRow, scaleOf } from '../board.ts'
import { BoardTable } from '../components/board-table.tsx'
import { isWarning } from '../findings/index.ts'
import { sampleTitle } from '../findings/origin.ts'
import { measureTerm, term, withTerms } from '../glossary.tsx'
import { allFailed, isScored, rivals } from '../make-board.ts'
import { baselineName, confidence } from '../notes.ts'
import { equals, interval, percent, plural, points, quantity } from '../numbers.ts'
import { bracketed, isIdentical, limitsInWords, tiedWith } from '../outcome.ts'
import { joined, say, textOf } from '../words.tsx'
import { differencesChart } from './comparison.tsx'
import { Figure, type PageData, type PageSection } from './section.tsx'

const ROWS = 8
/** Rows on a phone; its style hides the others. */
const PHONE_ROWS = 3

/** First screen: the verdict, the foremost rows and their differences. */
export function verdictSection({ board, summary }: Pick<PageData, 'board' | 'summary'>): PageSection {
  const [id, title] = ['verdict', 'Overview']
  if (!isScored(board)) return { id, title, body: <p class="lead">{unscored(board)}</p>, charts: [] }
  const chart = differencesChart(board)
  const answers = answersLead(summary.answers)
  const body = (
    <>
      <p class="lead">{lead(board)}</p>
      {answers && <p class="lead-more">{answers}</p>}
      <div class="overview">
        {overviewTable(board)}
        {chart && <Figure chart={chart} />}
      </div>
    </>
  )
  return { id, title, body, charts: chart ? [chart] : [] }
}

export function limitsSection({ summary }: Pick<PageData, 'summary'>): PageSection {
  const body = (
    <ul class="findings">
      {summary.findings.map((finding) => (
        <li>
          <b class={isWarning(finding) ? 'warning' : undefined}>{finding.about}.</b>{' '}
          <bdi>{withTerms(finding.text)}</bdi>
        </li>
      ))}
    </ul>
  )
  return { id: 'limits', title: 'Limits of the verdict', body, charts: [] }
}

function overviewTable(board: Board) {
  const { ranked, primary, level, columns } = board
  const rows = foremost(ranked)
  return (
    <div id="overview-board">
      <p class="caption">
        Mean {measureTerm(board, primary)} in percent with{' '}
        {term('confidence interval', `${confidence(level)}intervals`)}.
        {rows.length < ranked.length && (
          <span class="chosen"> The best row of each strategy, then the next best.</span>
        )}
        {ranked.length > PHONE_ROWS &&
          say` ${<a href="#leaderboard">All {quantity(ranked.length)} rows</a>}.`}
      </p>
      <BoardTable
        id="overview-rows"
        board={board}
        rows={rows}
        columns={columns.flatMap(({ name }, at) => (name === 'difference' ? [at] : []))}
        scale={scaleOf(columns[0], rows)}
        label="Foremost rows"
      />
    </div>
  )
}

/** At most `max` + 1 rows in order: the best of each strategy, the baseline, the next best. */
export function foremost(ranked: readonly BoardRow[], max = ROWS): readonly BoardRow[] {
  if (ranked.length <= max + 1) return ranked
  const baseline = ranked.filter((row) => row.baseline)
  const best = new Map(ranked.toReversed().map((row) => [row.strategy, row]))
  const chosen = new Set([
    ...ranked.filter((row) => best.get(row.strategy) === row).slice(0, max - baseline.length),
    ...baseline,
  ])
  for (const row of ranked) if (chosen.size < max) chosen.add(row)
  return ranked.filter((row) => chosen.has(row))
}

function answersLead(answers: Summary['answers']) {
  if (!answers) return null
  const { primary } = answers
  const scored = answers.rows
    .filter(({ measures }) => measures[primary].n > 0)
    .sort((x, y) => y.measures[primary].mean - x.measures[primary].mean)
  const [best] = scored
  const see = say`. See ${<a href="#answers">Answers</a>}.`
  if (!best) return say`No answer could be compared by ${primary}${see}`
  const { mean, low, high, n } = best.measures[primary]
  const [all, lowest] = [quantity(scored.length), percent(scored.at(-1)?.measures[primary].mean)]
  if (scored.length > 1 && lowest === percent(mean))
    return say`Answers: all ${all} rows have ${primary} of ${lowest}${see}`
  const from = best.trial ? say` from ${<bdi>{best.trial.name}</bdi>}` : ' without retrieval'
  const spread = scored.length > 1 && `; the lowest of ${all} rows has ${lowest}`
  return say`Answers: ${<bdi>{best.answerer}</bdi>}${from} has the best ${primary}, ${percent(mean)} ${<span class="interval">{interval(low, high)}</span>} over ${plural(n, 'question')}${spread}${see}`
}

export function verdictSentence(board: Board): string {
  return isScored(board) ? textOf(lead(board)) : unscored(board)
}

function unscored(board: Board): string {
  if (board.isMacro) return 'No row was scored on every dataset.'
  return `No trial was scored${allFailed(board) ? ': every query failed in every trial' : ''}.`
}

/** Two sentences, and a third if dense rows are a stand-in's. */
function lead(board: Board): ComponentChildren {
  const { primary, datasets, level, isMacro } = board
  const all = rivals(board)
  const [{ row: winner, whole }] = all
  const { mean, low, high, n } = whole
  if (n === 0) return `No query counts in ${primary}, so no row leads.`
  const bracket = interval(low, high)
  const ties = tiedWith(all)
  const isTied = ties.length > 0
  const names = inWords([winner, ...ties].map(({ name }) => name))
  const leads = isTied ? ' tie:' : all.length === 1 ? ' is the only row:' : ' leads:'
  const over = isMacro ? `${plural(datasets.length, 'dataset')} with ` : ''
  const second = against(
    board,
    all.map(({ row }) => row),
    isTied,
  )
  const shown = bracket && (
    <span class="interval" title={`${confidence(level)}interval`}>
      {bracket}
    </span>
  )
  return say`${sampleTitle(board)}${names}${leads} ${primary}${isMacro && ', macro mean'} of ${<strong>{percent(mean)}</strong>}${shown && say` ${shown}`} over ${over}${plural(n, 'query', 'queries')}.${second && say` ${second}${closeToWinner(board, winner)}.`}${board.standIn && say` Dense rows use the stand-in ${<code>lsa</code>}, not a trained embedder.`}`
}

/** Rows that are not distinguishable from the best. */
function closeToWinner(board: Board, winner: BoardRow) {
  const close = board.comparison?.close
  if (!close || board.ranked.length < 2) return null
  const nameOf = (id: string) => board.ranked.find((row) => row.id === id)?.name ?? id
  const others = close.filter((id) => id !== winner.id).map(nameOf)
  const best = <bdi>{winner.name}</bdi>
  if (others.length > 0) return say`; not distinguishable from ${best}: ${inWords(others)}`
  return say`; ${board.ranked.length === 2 ? 'the other row is' : 'all other rows are'} significantly below ${best}`
}

function inWords(names: readonly string[]): ComponentChildren {
  const strong = names.map((name) => (
    <strong>
      <bdi>{name}</bdi>
    </strong>
  ))
  if (names.length === 1) return strong
  return names.length > 6
    ? say`${joined(strong.slice(0, 6))} and ${names.length - 6} more`
    : say`${joined(strong.slice(0, -1))} and ${strong.at(-1)}`
}

/** Winner and baseline, without a full stop. */
function against(board: Board, [winner, ...others]: readonly BoardRow[], isTied: boolean): ComponentChildren {
  // After a tie the pronoun would be ambiguous.
  const it = isTied ? <bdi>{winner.name}</bdi> : 'It'
  if (winner.baseline)
    return others.length === 0
      ? say`${it} is the baseline; there is nothing else to compare it with`
      : say`${it} is the baseline: no other row has a better mean`
  const row = winner.compared
  if (!row && board.comparison) return say`${it} was not tested against the baseline`
  if (!row) return others.length > 0 && 'No difference was tested'
  const baseline = <bdi>{baselineName(board)}</bdi>
  if (isIdentical(row)) return say`${it} scores the same as the baseline, ${baseline}, on every query`
  const far = say`${points(row.difference)} points from ${baseline}`
  if (row.untested) return say`It was not tested against the baseline (${row.untested}): ${far}`
  const p = row.adjusted !== null && say`, ${term('adjusted p')} ${equals(row.adjusted)}`
  const size = say`${far} ${<span class="interval">{bracketed(limitsInWords(row))}</span>}${p}`
  switch (row.verdict) {
    case 'better':
      return say`${isTied ? it : 'That'} is better than the baseline: ${size}`
    case 'worse':
      return say`Compared query by query, ${isTied ? it : 'it'} is worse than the baseline: ${size}`
    case 'equivalent':
      return say`${it} is equivalent to the baseline: ${size}`
    case 'cannot tell':
      return say`${it} does not differ significantly from the baseline: ${size}`
  }
}
