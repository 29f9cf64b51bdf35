import type { Estimate, Summary } from '../../results/summary.ts'
import { marksOf } from '../charts/strategy-marks.ts'
import { term } from '../glossary.ts'
import { type Html, html } from '../html.ts'
import { type NumberColumn, numberColumns } from '../leaderboard-columns.ts'
import { confidence, type Leaderboard, type LeaderboardRow, tokensName } from '../leaderboard-rows.ts'
import { lettersNote } from '../notes.ts'
import { interval, percent, plural, points, probability, quantity } from '../numbers.ts'
import { limitsInWords, markLegend, verdictMark, verdictWord } from '../outcome.ts'
import { strategyTerm } from '../strategy-terms.ts'
import { breakable, type Column, type HtmlTable, htmlTable } from '../table.ts'
import { type PageSection, strategyMark } from './section.ts'

/** Number of rows shown before "show all". */
const SHOWN = 25

export function leaderboardView(board: Leaderboard): PageSection {
  const { primary, ranked, seen, one } = board
  const range = rangeOf(
    [...ranked.slice(0, SHOWN), ...seen.slice(0, SHOWN)].flatMap(({ measures }) => measures[primary] ?? []),
  )
  const what = ranked[0]?.kind === 'tuned' ? TUNED : `All trials, by ${primary}.`
  const first =
    seen.length > 0
      ? boardTable('board-tuned', ranked, board, range, html`${what}`)
      : boardTable('board', ranked, board, range, html`${what}${missingIntervals(one)}`)
  const second =
    seen.length > 0
      ? boardTable(
          'board',
          seen,
          board,
          range,
          html`All trials over all queries, by ${primary}. Tuning selected among them by these scores, so the best will probably score lower on new queries.${missingIntervals(one)}`,
        )
      : null
  const means = one ? 'Means over the judged queries' : 'Means per dataset and their macro mean,'
  const text = html`<p>${means} in percent; the bar spans the interval, the dot is the mean. ${board.comparison ? 'Differences from the baseline are paired; a row that was not tested shows the reason instead.' : null}</p>`
  return {
    id: 'leaderboard',
    title: 'Leaderboard',
    body: html`${text}<div id="board-app"></div><p class="caption">${reading(board)}</p><div class="static">${first}${second}</div>`,
    charts: [],
  }
}

const TUNED = 'Strategies, each tuned on queries that do not score it.'

function reading(board: Leaderboard): Html {
  const { comparison, tuning, primary, ranked, level, count } = board
  return html`n = ${quantity(ranked[0]?.measures[primary]?.n ?? 0)} queries; brackets are ${term('confidence interval', `${confidence(level)}intervals`)}${comparison ? `; ${markLegend(comparison.rows)}` : null}.${tuning.kind === 'none' && count > 1 ? ' The rows are ranked on the queries that score them.' : null} ${lettersNote(board)}`
}

/** Note on rows without an interval; null if every row or no row has one. */
function missingIntervals(summary: Summary | null): string | null {
  if (!summary) return null
  const { trials, primary } = summary
  const count = trials.filter(({ measures }) => measures[primary]?.low !== null).length
  if (count === 0 || count === trials.length) return null
  return ` Intervals and rankings were stored for ${plural(count, 'finalist')}: the baseline, the best trial of each strategy, trials on the Pareto front of quality and ${tokensName(summary)}, then the best of the rest.`
}

function boardTable(
  id: string,
  rows: readonly LeaderboardRow[],
  board: Leaderboard,
  range: readonly [number, number],
  caption: Html,
): Html {
  const { primary, measures, one } = board
  const numbers = numberColumns(board)
  const has = ({ value }: NumberColumn) => rows.some((row) => value(row))
  const letters: Column<LeaderboardRow>[] = rows.some(({ lettered }) => lettered)
    ? [{ head: 'letter', left: true, html: ({ lettered }) => lettered?.letter ?? '' }]
    : []
  const quality = numbers.measure(primary)
  const columns: Column<LeaderboardRow>[] = [
    { head: rows[0]?.kind === 'tuned' ? 'strategy' : 'trial', left: true, html: nameCell(board.strategies) },
    ...letters,
    ...numbers.datasets.map((column, index) => ({
      ...column,
      html: (row: LeaderboardRow) => hovered(column.text(row), row.datasets[index]?.[primary]),
    })),
    {
      ...quality,
      ...(one === null && { head: 'macro mean' }),
      html: (row) => html`<b>${quality.text(row)}</b>${beats(row)}`,
    },
    intervalColumn(({ measures }) => measures[primary], range),
    ...(rows.some(({ compared }) => compared)
      ? [differenceColumn('paired difference in points; adjusted p on hover')]
      : []),
    ...[
      numbers.seeds,
      numbers.optimism,
      numbers.tokens,
      numbers.modelCalls,
      numbers.fallbacks,
      ...numbers.times.slice(0, 2),
      numbers.failed,
    ].filter(has),
    ...(one ? judgedColumns(one, rows) : []),
    ...measures
      .filter((measure) => measure !== primary)
      .map((measure) => {
        const column = numbers.measure(measure)
        return { ...column, html: (row: LeaderboardRow) => hovered(column.text(row), row.measures[measure]) }
      }),
  ]
  return rankedTable({ id, caption, columns, rows })
}

/** A mean with its interval and number of queries on hover. */
function hovered(text: string, estimate: Estimate | undefined): Html | string {
  const bracket = estimate && interval(estimate.low, estimate.high)
  return bracket ? html`<span title="${bracket}, n = ${estimate.n}">${text}</span>` : text
}

/** Column of the share of judged results, unless a measure already reports it. */
function judgedColumns(
  { health, measures }: Summary,
  rows: readonly LeaderboardRow[],
): Column<LeaderboardRow>[] {
  const unjudged = new Map(health.trials.map((trial) => [trial.id, trial.unjudged]))
  const [k] = rows.flatMap(({ id }) => unjudged.get(id)?.k ?? [])
  if (k === undefined || measures.includes(`judged@${k}`)) return []
  const judged = ({ id }: LeaderboardRow) => {
    const own = unjudged.get(id)
    return own ? 1 - own.share : null
  }
  return [
    {
      head: `judged@${k}`,
      title: 'percent of the first results that have a label; results without a label count as not relevant',
      html: (row) => (judged(row) === null ? '' : percent(judged(row))),
      value: judged,
    },
  ]
}

/** A table of ranked rows, the baseline marked. */
function rankedTable(parts: Pick<HtmlTable<LeaderboardRow>, 'id' | 'caption' | 'columns' | 'rows'>): Html {
  return htmlTable({
    ...parts,
    shown: SHOWN,
    whole: html`<code>touchstone leaderboard --csv</code> lists`,
    sortable: true,
    rowClass: ({ baseline }) => (baseline ? 'baseline' : ''),
  })
}

/** Superscript letters of the rows that this row beats. */
function beats({ lettered }: LeaderboardRow): Html | null {
  return lettered?.beats ? html`<sup>${lettered.beats}</sup>` : null
}

/** Returns a cell with the strategy's mark, the row's name, which opens the strategy's description, and a tag for the baseline. */
export function nameCell(
  strategies: readonly string[],
  named = strategyTerm,
): (row: Pick<LeaderboardRow, 'name' | 'strategy' | 'baseline'>) => Html {
  const marks = marksOf(strategies)
  return ({ name, strategy, baseline }) => {
    const rest = name.startsWith(`${strategy} `) ? breakable(name.slice(strategy.length)) : null
    const text = named(strategies, strategy, rest === null ? name : strategy)
    return html`${strategyMark(marks.get(strategy))}<bdi>${text}${rest && html`<span class="params">${rest}</span>`}</bdi>${baseline ? html` <span class="tag">${term('baseline')}</span>` : null}`
  }
}

/** The interval as a line and the mean as a dot, all rows on one scale. */
export function whisker(
  estimate: Estimate | undefined,
  [from, to]: readonly [number, number],
): Html | string {
  if (!estimate) return ''
  const at = (value: number) => (4 + (72 * (value - from)) / Math.max(to - from, 1e-9)).toFixed(1)
  const { mean, low, high } = estimate
  const bar =
    low === null || high === null ? null : html`<line x1="${at(low)}" x2="${at(high)}" y1="6" y2="6"/>`
  return html`<svg class="whisker" viewBox="0 0 80 12" aria-hidden="true">${bar}<circle cx="${at(mean)}" cy="6" r="2.6"/></svg> <span class="interval">${interval(low, high)}</span>`
}

export function intervalColumn(
  estimate: (row: LeaderboardRow) => Estimate | undefined,
  range: readonly [number, number],
): Column<LeaderboardRow> {
  return {
    head: 'interval',
    left: true,
    html: (row) => whisker(estimate(row), range),
    value: (row) => interval(estimate(row)?.low ?? null, estimate(row)?.high ?? null),
  }
}

export function differenceColumn(title: string): Column<LeaderboardRow> {
  return {
    head: 'to baseline',
    left: true,
    title,
    html: ({ compared, baseline, untested }) => {
      if (!compared) return html`<span class="untested">${baseline ? 'baseline' : untested}</span>`
      const { difference, verdict, adjusted } = compared
      return html`<span class="${verdict.replace(' ', '-')}" title="${verdictWord(compared)}: ${limitsInWords(compared)}, adjusted p ${probability(adjusted)}">${verdictMark(compared)} ${points(difference)}</span>`
    },
    value: ({ compared }) => compared?.difference ?? null,
  }
}

/** Lowest and highest end of all intervals. */
export function rangeOf(estimates: readonly Estimate[]): [number, number] {
  return [
    Math.min(...estimates.map(({ low, mean }) => low ?? mean)),
    Math.max(...estimates.map(({ high, mean }) => high ?? mean)),
  ]
}
