import type { Summary } from '../../results/summary.ts'
import { type Html, html } from '../html.ts'
import { lettersNote } from '../leaderboard.ts'
import { interval, milliseconds, percent, points, probability, quantity } from '../numbers.ts'
import { confidence, type Standing, type Standings, strategiesOf } from '../standings.ts'
import { breakable, type Column, type Section, strategyMark, table, VERDICT_MARKS } from './section.ts'
import { whisker } from './whisker.ts'

/** Rows in view before "show all". */
const SHOWN = 25
/** Rows in the page at all; `leaderboard --csv` has the rest. */
const MOST = 1000

export function leaderboardView(summary: Summary, { ranked, seen }: Standings): Section {
  const range = rangeOf([...ranked.slice(0, SHOWN), ...seen.slice(0, SHOWN)], summary.primary)
  const first =
    seen.length > 0
      ? boardTable(
          'board-tuned',
          ranked,
          summary,
          range,
          html`Strategies, each tuned on other queries than it is scored on. ${reading(summary)}`,
        )
      : boardTable(
          'board',
          ranked,
          summary,
          range,
          html`All trials, by ${summary.primary}. ${reading(summary)}${without(summary)}`,
        )
  const second =
    seen.length > 0
      ? boardTable(
          'board',
          seen,
          summary,
          range,
          html`Trials over all queries; these means were seen in tuning.${without(summary)}`,
        )
      : null
  const text = html`<p>Means over the judged queries in percent; the bar spans the interval, the dot is the mean. ${summary.comparison ? 'The difference is the paired one to the baseline, told only where it was tested.' : null}</p>`
  return { id: 'leaderboard', title: 'Leaderboard', body: html`${text}${first}${second}`, charts: [] }
}

function reading(summary: Summary): Html {
  const { dataset, comparison, tuning, trials } = summary
  return html`n = ${quantity(dataset.judged)} queries; brackets are ${confidence(summary)}bootstrap intervals${comparison ? html`; ▲ better, ▼ worse, ■ equivalent, ○ cannot tell` : null}.${tuning.kind === 'none' && trials.length > 1 ? ' The order was read off the queries that score it.' : null} ${lettersNote(summary)}`
}

/** Why some rows have no interval, where that is so. */
function without({ trials, primary }: Summary): string | null {
  const count = trials.filter(({ measures }) => measures[primary]?.low !== null).length
  if (count === 0 || count === trials.length) return null
  return ` Intervals and whole rankings were kept for ${quantity(count)} finalists: the baseline, the best trial of each strategy, those that no other beats in both quality and tokens, then the best of the rest.`
}

function boardTable(
  id: string,
  rows: readonly Standing[],
  summary: Summary,
  range: readonly [number, number],
  caption: Html,
): Html {
  const { primary, measures } = summary
  const strategies = strategiesOf(summary)
  const has = (of: (row: Standing) => unknown) => rows.some((row) => of(row) !== null && of(row) !== 0)
  const number = (measure: string): Column<Standing> => ({
    head: measure,
    cell: (row) => percent(row.measures[measure]?.mean),
    value: (row) => row.measures[measure]?.mean ?? null,
  })
  const letters: Column<Standing>[] = rows.some(({ lettered }) => lettered)
    ? [{ head: '', text: true, title: 'letter', cell: ({ lettered }) => lettered?.letter ?? '' }]
    : []
  const columns: Column<Standing>[] = [
    { head: 'trial', text: true, cell: (row) => name(row, strategies.indexOf(row.strategy)) },
    ...letters,
    { ...number(primary), cell: (row) => html`<b>${percent(row.measures[primary]?.mean)}</b>${beats(row)}` },
    {
      head: 'interval',
      text: true,
      cell: (row) => whisker(row.measures[primary], range),
      value: (row) => interval(row.measures[primary]?.low ?? null, row.measures[primary]?.high ?? null),
    },
  ]
  if (has(({ compared }) => compared))
    columns.push({
      head: 'to baseline',
      text: true,
      title: 'paired difference in points; adjusted p on hover',
      cell: difference,
      value: ({ compared }) => compared?.difference ?? null,
    })
  if (has(({ optimism }) => optimism))
    columns.push({
      head: 'optimism',
      title: "how much the best trial's own mean flatters, in points",
      cell: ({ optimism }) => (optimism === null ? '' : points(optimism)),
      value: ({ optimism }) => optimism,
    })
  if (has(({ tokens }) => tokens))
    columns.push({
      head: 'tokens',
      title: `tokens a query: chunks to depth ${summary.depth}, and evidence`,
      cell: ({ tokens }) => (tokens === null ? '' : quantity(Math.round(tokens))),
      value: ({ tokens }) => tokens,
    })
  if (has(({ modelCalls }) => modelCalls))
    columns.push({
      head: 'model calls',
      title: 'a query',
      cell: ({ modelCalls }) => (modelCalls === null ? '' : quantity(modelCalls)),
      value: ({ modelCalls }) => modelCalls,
    })
  if (has(({ fallbacks }) => fallbacks))
    columns.push({
      head: 'fallbacks',
      title: 'share of queries that took a named second way',
      cell: ({ fallbacks }) => (fallbacks === null ? '' : quantity(fallbacks)),
      value: ({ fallbacks }) => fallbacks,
    })
  if (has(({ latency }) => latency))
    columns.push({
      head: 'p95 ms',
      cell: ({ latency }) => (latency ? milliseconds(latency.p95.value) : ''),
      value: ({ latency }) => latency?.p95.value ?? null,
    })
  if (has(({ failed }) => failed))
    columns.push({
      head: 'failed',
      title: 'queries that failed; each counts as 0',
      cell: ({ failed }) => (failed ? quantity(failed) : ''),
      value: ({ failed }) => failed,
    })
  const unjudged = new Map(summary.health.trials.map((trial) => [trial.id, trial.unjudged]))
  const [judgedTo] = rows.flatMap(({ id }) => unjudged.get(id)?.k ?? [])
  const judged = ({ id }: Standing) => {
    const own = unjudged.get(id)
    return own ? 1 - own.share : null
  }
  if (judgedTo !== undefined && !measures.includes(`judged@${judgedTo}`))
    columns.push({
      head: `judged@${judgedTo}`,
      title: 'percent of the first ranks that were judged at all; the rest counts as not relevant',
      cell: (row) => (judged(row) === null ? '' : percent(judged(row))),
      value: judged,
    })
  for (const measure of measures) if (measure !== primary) columns.push(number(measure))
  const cut =
    rows.length > MOST
      ? html` The first ${quantity(MOST)} of ${quantity(rows.length)}; <code>touchstone leaderboard --csv</code> has all.`
      : null
  return table({
    id,
    caption: html`${caption}${cut}`,
    columns,
    rows: rows.slice(0, MOST),
    shown: SHOWN,
    sortable: true,
    rowClass: (row) => (row.baseline ? 'baseline' : ''),
  })
}

/** The letters of the rows that this one beats, raised. */
function beats({ lettered }: Standing): Html | null {
  return lettered?.beats ? html`<sup>${lettered.beats}</sup>` : null
}

function name({ name, strategy, baseline }: Standing, place: number): Html {
  const rest = name.startsWith(`${strategy} `) ? breakable(name.slice(strategy.length)) : null
  const mark = place < 0 ? null : strategyMark(place)
  return html`${mark}<bdi>${rest === null ? name : html`${strategy}<span class="params">${rest}</span>`}</bdi>${baseline ? html` <span class="tag">baseline</span>` : null}`
}

function difference({ compared }: Standing): Html | string {
  if (!compared) return ''
  const { difference, verdict, adjusted, low, high } = compared
  return html`<span class="${verdict.replace(' ', '-')}" title="${verdict}: [${points(low)}, ${points(high)}], adjusted p ${probability(adjusted)}">${VERDICT_MARKS[verdict]} ${points(difference)}</span>`
}

function rangeOf(rows: readonly Standing[], measure: string): [number, number] {
  const values = rows.flatMap(({ measures }) => {
    const { mean, low, high } = measures[measure] ?? { mean: 0, low: null, high: null }
    return [low ?? mean, high ?? mean]
  })
  return [Math.min(...values), Math.max(...values)]
}
