import type { ComparedRow, Summary } from '../../results/summary.ts'
import { type Html, html } from '../html.ts'
import { baselineName } from '../leaderboard.ts'
import {
  corrected,
  interval,
  percent,
  plural,
  points,
  pointsInterval,
  probability,
  quantity,
} from '../numbers.ts'
import { confidence, type Standings } from '../standings.ts'
import type { Section } from './section.ts'

/** Who wins, how sure that is, and what cannot be told: in words. */
export function verdictView(summary: Summary, standings: Standings): Section {
  const [winner] = standings.ranked
  const items = winner
    ? [
        tested(summary),
        untold(summary),
        chosen(summary, standings),
        close(summary, standings),
        ...limits(summary),
        tied(summary),
      ]
    : []
  const body = html`${winner ? lead(summary, standings) : html`<p class="lead">No trial was scored.</p>`}
<ul class="findings">${items.filter((item) => item !== null).map((item) => html`<li>${item}</li>\n`)}</ul>`
  return { id: 'verdict', title: 'Verdict', body, charts: [] }
}

function lead(summary: Summary, { ranked }: Standings): Html {
  const [winner] = ranked
  const { primary } = summary
  const { mean, low, high, n } = winner.measures[primary]
  const bracket = interval(low, high)
  return html`<p class="lead"><strong><bdi>${winner.name}</bdi></strong> leads: ${primary} of <strong>${percent(mean)}</strong>${bracket && html` <span class="interval" title="${confidence(summary)}interval">${bracket}</span>`} over ${plural(n, 'query', 'queries')}. ${against(summary, winner.compared, winner.baseline)}</p>`
}

function against(summary: Summary, row: ComparedRow | null, isBaseline: boolean): Html | string {
  if (isBaseline) return 'It is the baseline: nothing that was tried beats it.'
  if (!row)
    return summary.comparison ? 'It is not part of the family that was tested against the baseline.' : ''
  const size = html`${points(row.difference)} points to <bdi>${baselineName(summary)}</bdi> <span class="interval">${pointsInterval(row.low, row.high)}</span>, adjusted p ${equals(row.adjusted)}`
  switch (row.verdict) {
    case 'better':
      return html`That is better than the baseline: ${size}.`
    case 'worse':
      return html`In pairs it is worse than the baseline: ${size}.`
    case 'equivalent':
      return html`It is equivalent to the baseline: ${size}.`
    case 'cannot tell':
      return html`Whether it beats the baseline cannot be told: ${size}.`
  }
}

function equals(p: number): string {
  const text = probability(p)
  return text.startsWith('<') ? text : `= ${text}`
}

function tested(summary: Summary): Html | null {
  const { comparison } = summary
  if (!comparison) return null
  const { rows, correction, draws, measure } = comparison
  const counted = VERDICTS.map(
    ([verdict, words]) => [rows.filter((row) => row.verdict === verdict).length, words] as const,
  )
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
  return html`<b>Tested.</b> ${plural(rows.length, 'comparison')} in ${measure} ${comparison.family === 'pairs' ? 'between pairs of trials' : html`with <bdi>${baselineName(summary)}</bdi>`} (family: ${comparison.family}), paired randomization with ${quantity(draws)} draws, ${corrected(correction)}: ${counted.join(', ')}.`
}

const VERDICTS = [
  ['better', 'better'],
  ['worse', 'worse'],
  ['equivalent', 'equivalent'],
  ['cannot tell', 'cannot be told apart'],
] as const

function untold({ comparison, dataset }: Summary): Html | null {
  if (!comparison || comparison.rows.length === 0) return null
  const unclear = comparison.rows.filter(({ verdict }) => verdict === 'cannot tell')
  const detectable = comparison.rows.map((row) => row.detectable).sort((a, b) => a - b)
  const range =
    detectable.length > 1
      ? `${points(detectable[0])} to ${points(detectable[detectable.length - 1])}`
      : points(detectable[0])
  const names = listed(unclear.map(({ name }) => name))
  return html`<b>What cannot be told.</b> ${unclear.length > 0 ? html`Whether ${names} ${unclear.length > 1 ? 'differ' : 'differs'} from ${comparison.family === 'pairs' ? 'the other of the pair' : 'the baseline'}. ` : 'Every difference tested is decided. '}With ${plural(dataset.judged, 'query', 'queries')} a true difference must reach ${range.replace(/\+/g, '')} points to show four times in five.`
}

/** At most six names, each on its own for the direction of its writing. */
function listed(names: readonly string[]): Html {
  const shown = names.slice(0, 6).map((name, place) => html`${place > 0 ? ', ' : ''}<bdi>${name}</bdi>`)
  return html`${shown}${names.length > shown.length ? `, ${names.length - shown.length} more` : null}`
}

function chosen({ tuning, trials, tuned }: Summary, { ranked }: Standings): Html | null {
  const [winner] = ranked
  if (tuning.kind === 'none')
    return trials.length < 2
      ? null
      : html`<b class="warning">Tuned on its own queries.</b> The winner was picked from ${plural(trials.length, 'trial')} by the same queries that score it, so its figure flatters. Put <code>folds: 5</code> into the config to have it chosen on other queries than it is scored on.`
  const how =
    tuning.kind === 'folds'
      ? `Each strategy's trial was chosen on the other folds of ${tuning.folds} and scored on this one`
      : `Each strategy's trial was chosen on ${percent(tuning.dev, 0)} % of the queries and scored on the rest`
  const optimism = tuned.find((row) => `tuned:${row.strategy}` === winner.id)?.optimism
  return html`<b>Not tuned on its own queries.</b> ${how} (seed ${tuning.seed}).${optimism === undefined ? null : ` Read off its own tuning queries, its best trial stands ${points(optimism)} points from that: the optimism of tuning on what is scored.`}`
}

function close({ primary }: Summary, { ranked }: Standings): Html | null {
  const [winner, ...others] = ranked
  const { low } = winner.measures[primary]
  if (low === null || others.length === 0) return null
  const inside = others.filter(({ measures }) => measures[primary].mean >= low).length
  if (inside === 0) return null
  return html`<b>Close.</b> ${inside === 1 ? 'One other row has its mean' : `${quantity(inside)} other rows have their means`} inside the winner's interval; read their order as a hint, not a result.`
}

/** Shares of queries above which ties are worth a word at the top. */
const MANY_TIES = 0.05

function tied({ health, primary }: Summary): Html | null {
  const many = health.trials.filter(({ ties }) => ties && ties.share > MANY_TIES)
  if (many.length === 0) return null
  const [{ name, ties }] = [...many].sort((a, b) => (b.ties?.share ?? 0) - (a.ties?.share ?? 0))
  return html`<b class="warning">Ties decide.</b> ${many.length === 1 ? 'One trial gives' : `${quantity(many.length)} trials give`} equal scores around the cutoff on more than ${percent(MANY_TIES, 0)} % of the queries; <bdi>${name}</bdi> most: ${primary} of ${percent(ties?.worst)} to ${percent(ties?.best)}, as its ties are ordered. See <a href="#health">below</a>.`
}

/** What weakens every number on the page. */
function limits({ dataset, trials }: Summary): (Html | null)[] {
  const failed = trials.filter((trial) => trial.failed > 0)
  return [
    failed.length > 0
      ? html`<b class="warning">Failures.</b> ${listed(failed.map((trial) => `${trial.name}: ${plural(trial.failed, 'query', 'queries')}`))}. A failed query counts as 0.`
      : null,
    dataset.missing > 0
      ? html`<b class="warning">Missing gold.</b> ${plural(dataset.missing, 'gold label')} of ${quantity(dataset.gold)} ${dataset.missing === 1 ? 'is' : 'are'} in no document; they stay in every denominator. ${percent(dataset.evaluability)}\u00a0% of the queries have all their gold in the corpus.`
      : null,
    dataset.unanswerable > 0
      ? html`<b>Left out.</b> ${plural(dataset.unanswerable, 'unanswerable query', 'unanswerable queries')}, where nothing can be retrieved.`
      : null,
    dataset.notices.length > 0 ? html`<b>Noticed in the data.</b> ${dataset.notices.join('; ')}.` : null,
  ]
}
