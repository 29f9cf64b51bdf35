import type { Summary } from '../../results/summary.ts'
import { FEWEST_QUERIES } from '../../statistics/sample.ts'
import { measureTerm, term } from '../glossary.ts'
import { type Html, html, textOf, withCode } from '../html.ts'
import { numberColumns } from '../leaderboard-columns.ts'
import {
  baselinePlace,
  confidence,
  type Leaderboard,
  type LeaderboardRow,
  placeOf,
  representatives,
  rivals,
} from '../leaderboard-rows.ts'
import { signOf } from '../measured.ts'
import {
  baselineName,
  belowTrialsNote,
  comparedName,
  competing,
  macroNote,
  missingNote,
  otherLeaders,
  otherLeadersInWords,
  standInNote,
  testName,
  untestedNote,
  withinWords,
} from '../notes.ts'
import { corrected, equals, interval, milliseconds, percent, plural, points, quantity } from '../numbers.ts'
import { sampleNote, sampleTitle, syntheticNote } from '../origin.ts'
import { countVerdicts, isIdentical, limitsInWords, lossesOf, lossInWords, tiedWith } from '../outcome.ts'
import { sharedGoldNote } from '../shared-gold.ts'
import { htmlTable } from '../table.ts'
import { differencesChart } from './comparison.ts'
import { differenceColumn, intervalColumn, nameCell, rangeOf } from './leaderboard.ts'
import { figure, type PageSection } from './section.ts'

/** Warnings on the first screen. */
const WARNINGS = 3
/** Rows of the first screen's table and chart. */
const ROWS = 8
/** Rows that every phone has space for; its style hides the others. */
const PHONE_ROWS = 3

/**
 * First screen: the verdict in two sentences, the leaderboard of the compared rows, the chart of their differences, and the
 * warnings that threaten the verdict most.
 */
export function verdictView(board: Leaderboard): PageSection {
  if (!isScored(board))
    return {
      id: 'verdict',
      title: 'Overview',
      body: html`<p class="lead">${unscored(board)}</p>`,
      charts: [],
    }
  const chart = differencesChart(board)
  const warnings = findings(board).filter((item) => item?.markup.startsWith(WARNING))
  const body = html`${lead(board)}${leadNotes(board).map((note) => html`<p class="lead-more">${note}</p>`)}${answersLead(board)}
<div class="overview">${overviewTable(board)}${chart && figure(chart)}</div>
${warnings.length > 0 ? html`<ul class="findings brief">${warnings.slice(0, WARNINGS).map((item) => html`<li><details><summary>${item}</summary></details></li>\n`)}</ul>` : null}<p class="more"><a href="#limits">Limits of the verdict${warnings.length > WARNINGS ? ` (${plural(warnings.length - WARNINGS, 'more warning')})` : null}</a></p>${costs(board)}`
  return { id: 'verdict', title: 'Overview', body, charts: chart ? [chart] : [] }
}

/** Section of everything that qualifies the verdict. */
export function limitsView(board: Leaderboard): PageSection {
  const items = findings(board).filter((item) => item !== null)
  const body = html`<ul class="findings">${items.map((item) => html`<li>${item}</li>\n`)}</ul>`
  return { id: 'limits', title: 'Limits of the verdict', body, charts: [] }
}

/** Tokens and time of the winner and of the baseline; null over several datasets. */
function costs({ one, ranked, seen }: Leaderboard): Html | null {
  const rowOf = (trial: number | null | undefined) =>
    [...ranked, ...seen].find(({ id }) => id === one?.trials[trial ?? -1]?.id)
  const winner = one && rowOf(representatives(one)[0])
  const baseline = one && rowOf(baselinePlace(one))
  if (!winner || winner.tokens === null) return null
  const words = ({ name, tokens, latency }: LeaderboardRow) =>
    html`<bdi>${name}</bdi> retrieves ${quantity(Math.round(tokens ?? 0))} tokens${latency && html` in ${milliseconds(latency.p50.value)} ms (median)`}`
  return html`<p class="about">Cost of a query: ${words(winner)}${baseline && baseline !== winner ? html`; the baseline ${words(baseline)}` : null}. All costs: <a href="#cost">Trade-offs</a>.</p>`
}

const WARNING = '<b class="warning">'

function isScored(board: Leaderboard): boolean {
  return rivals(board).length > 0 && !allFailed(board)
}

/** Compared rows with the interval of the primary measure and the difference from the baseline. */
function overviewTable({ ranked, primary, strategies, ...board }: Leaderboard): Html {
  const numbers = numberColumns({ ranked, primary, strategies, ...board })
  const rows = foremost(ranked)
  const range = rangeOf(rows.flatMap(({ measures }) => measures[primary] ?? []))
  const quality = numbers.measure(primary)
  const chosen =
    rows.length < ranked.length
      ? html`<span class="chosen"> The best row of each strategy, then the next best.</span>`
      : null
  const more =
    ranked.length > PHONE_ROWS
      ? html`${chosen} <a href="#leaderboard">All ${quantity(ranked.length)} rows</a>.`
      : null
  return htmlTable<LeaderboardRow>({
    id: 'overview-board',
    caption: html`Mean ${measureTerm(board, primary)} in percent with ${term('confidence interval', `${confidence(board.level)}intervals`)}.${more}`,
    columns: [
      { head: ranked[0]?.kind === 'tuned' ? 'strategy' : 'trial', left: true, html: nameCell(strategies) },
      {
        ...quality,
        ...(board.one === null && { head: 'macro mean' }),
        html: (row) => html`<b>${quality.text(row)}</b>`,
      },
      intervalColumn(({ measures }) => measures[primary], range),
      ...(rows.some(({ compared }) => compared) ? [differenceColumn('paired difference in points')] : []),
    ],
    rows,
    rowClass: (row) => (row.baseline ? 'baseline' : ''),
  })
}

/** Rows of the overview, in their order: the best of each strategy and the baseline, then the next best. */
function foremost(ranked: readonly LeaderboardRow[]): readonly LeaderboardRow[] {
  // A table that is one row longer is shown whole.
  if (ranked.length <= ROWS + 1) return ranked
  const baseline = ranked.filter((row) => row.baseline)
  const best = new Map(ranked.toReversed().map((row) => [row.strategy, row]))
  const chosen = new Set([
    ...ranked.filter((row) => best.get(row.strategy) === row).slice(0, ROWS - baseline.length),
    ...baseline,
  ])
  for (const row of ranked) if (chosen.size < ROWS) chosen.add(row)
  return ranked.filter((row) => chosen.has(row))
}

/** Best answers, where the config has answers: they are what a reader of a RAG system sees. */
function answersLead({ one }: Leaderboard): Html | null {
  const answers = one?.answers
  if (!answers) return null
  const { primary } = answers
  const scored = answers.rows.filter(({ measures }) => measures[primary].n > 0)
  const [best] = [...scored].sort((x, y) => y.measures[primary].mean - x.measures[primary].mean)
  const [worst] = [...scored].sort((x, y) => x.measures[primary].mean - y.measures[primary].mean)
  if (!best)
    return html`<p class="lead-more">No answer could be compared by ${primary}. See <a href="#answers">Answers</a>.</p>`
  const { mean, low, high, n } = best.measures[primary]
  const from = best.trial ? html` from <bdi>${best.trial.name}</bdi>` : ' without retrieval'
  const lowest = percent(worst.measures[primary].mean)
  if (scored.length > 1 && lowest === percent(mean))
    return html`<p class="lead-more">Answers: all ${quantity(scored.length)} rows have ${primary} of ${lowest}. See <a href="#answers">Answers</a>.</p>`
  const spread = scored.length > 1 ? `; the lowest of ${quantity(scored.length)} rows has ${lowest}` : ''
  return html`<p class="lead-more">Answers: <bdi>${best.answerer}</bdi>${from} has the best ${primary}, ${percent(mean)} <span class="interval">${interval(low, high)}</span> over ${plural(n, 'question')}${spread}. See <a href="#answers">Answers</a>.</p>`
}

/** The verdict's two sentences as plain text. */
export function verdictSentence(board: Leaderboard): string {
  return isScored(board) ? textOf(lead(board)) : unscored(board)
}

/** The winner and the baseline. */
export function headlineRows({ ranked }: Leaderboard): LeaderboardRow[] {
  return ranked.filter((row, rank) => rank === 0 || row.baseline)
}

/** At most two sentences after the verdict: the fallbacks of the winner, and the measures by which it is not first. */
export function leadNotes(board: Leaderboard): string[] {
  if (!isScored(board)) return []
  const [{ row: winner }] = rivals(board)
  const others = otherLeaders(board)
  return [
    winnerFallbacks(board, winner),
    others.length > 0 ? `${winner.name} is ${otherLeadersInWords(others)}.` : '',
  ].filter((note) => note !== '')
}

/** Share of queries on which the winner, or the trial that represents it, used a fallback; '' if there were none. */
function winnerFallbacks({ one }: Leaderboard, { id, name }: LeaderboardRow): string {
  const { fallbacks } = one?.trials[placeOf(one, id)] ?? { fallbacks: [] }
  if (fallbacks.length === 0) return ''
  const shares = fallbacks.map(({ when, share }) => `${percent(share, 0)}\u00a0% of the queries (${when})`)
  return `${name} used a fallback on ${shares.join(' and ')}.`
}

/** Everything that qualifies the verdict; what threatens it most comes first. */
function findings(board: Leaderboard): (Html | null)[] {
  const { one } = board
  if (!isScored(board)) return [...originOf(board), ...(one ? limits(one) : overDatasets(board))]
  return [
    ...originOf(board),
    standsIn(board),
    tooFew(board),
    ...(one ? limits(one) : overDatasets(board)),
    dependent(board),
    belowItsTrials(board),
    losing(board),
    chosen(board),
    one && tied(one, headlineRows(board)),
    tested(board),
    testLimits(board),
  ]
}

function allFailed({ one }: Leaderboard): boolean {
  if (!one) return false
  const { trials, dataset } = one
  return trials.length > 0 && trials.every(({ failed }) => failed > 0 && failed === dataset.queries)
}

function unscored(board: Leaderboard): string {
  if (!board.one) return 'No row was scored on every dataset.'
  return `No trial was scored${allFailed(board) ? ': every query failed in every trial' : ''}.`
}

function lead(board: Leaderboard): Html {
  const { primary, datasets, level, one } = board
  const all = rivals(board)
  const [{ row: winner, whole }] = all
  const { mean, low, high, n } = whole
  if (n === 0) return html`<p class="lead">No query counts in ${primary}, so no row leads.</p>`
  const bracket = interval(low, high)
  const ties = tiedWith(all)
  const name = html`<strong><bdi>${winner.name}</bdi></strong>`
  const who =
    all.length === 1
      ? html`${name} is the only row:`
      : ties.length > 0
        ? html`${inWords([winner, ...ties].map(({ name }) => name))} tie:`
        : html`${name} leads:`
  const over = one ? '' : `${plural(datasets.length, 'dataset')} with `
  return html`<p class="lead">${sampleTitle(board)}${who} ${primary}${one ? '' : ', macro mean'} of <strong>${percent(mean)}</strong>${bracket && html` <span class="interval" title="${confidence(level)}interval">${bracket}</span>`} over ${over}${plural(n, 'query', 'queries')}. ${against(
    board,
    all.map(({ row }) => row),
    ties.length > 0,
  )}${closeToWinner(board, winner, ties.length > 0)}</p>`
}

/** Second sentence of the verdict: the rows that cannot be told apart from the best. */
function closeToWinner(board: Leaderboard, winner: LeaderboardRow, isTied: boolean): Html | null {
  const close = board.comparison?.close
  if (!close || board.ranked.length < 2) return null
  const nameOf = (id: string) => board.ranked.find((row) => row.id === id)?.name ?? id
  const others = close.filter((id) => id !== winner.id).map(nameOf)
  const it = isTied ? html`<bdi>${winner.name}</bdi>` : 'it'
  if (others.length === 0)
    return html` ${board.ranked.length === 2 ? 'The other row is' : 'All other rows are'} significantly below ${it}.`
  return html` Not distinguishable from ${it}: ${inWords(others)}.`
}

/** `a, b and c`; the first six of more. */
function inWords(names: readonly string[]): Html {
  const strong = (name: string) => html`<strong><bdi>${name}</bdi></strong>`
  if (names.length === 1) return strong(names[0])
  const last = names.length > 6 ? html`${names.length - 6} more` : strong(names[names.length - 1])
  const others = names.slice(0, Math.min(6, names.length - (names.length > 6 ? 0 : 1)))
  return html`${others.map((name, index) => html`${index > 0 ? ', ' : ''}${strong(name)}`)} and ${last}`
}

function against(
  board: Leaderboard,
  [winner, ...others]: readonly LeaderboardRow[],
  isTied: boolean,
): Html | string {
  // After a tie the pronoun could mean any of the rows.
  const it = isTied ? html`<bdi>${winner.name}</bdi>` : 'It'
  if (winner.baseline)
    return others.length === 0
      ? html`${it} is the baseline; there is nothing else to compare it with.`
      : html`${it} is the baseline: no other row has a better mean.`
  const row = winner.compared
  if (!row)
    return board.comparison
      ? html`${it} was not tested against the baseline.`
      : others.length > 0
        ? 'No difference was tested.'
        : ''
  const baseline = html`<bdi>${baselineName(board)}</bdi>`
  if (isIdentical(row)) return html`${it} scores the same as the baseline, ${baseline}, on every query.`
  const size = html`${points(row.difference)} points from ${baseline} <span class="interval">${limitsInWords(row)}</span>${row.adjusted === null ? null : html`, ${term('adjusted p')} ${equals(row.adjusted)}`}`
  if (row.untested)
    return html`It was not tested against the baseline (${row.untested}): ${points(row.difference)} points from ${baseline}.`
  switch (row.verdict) {
    case 'better':
      return html`${isTied ? it : 'That'} is better than the baseline: ${size}.`
    case 'worse':
      return html`Compared query by query, ${isTied ? it : 'it'} is worse than the baseline: ${size}.`
    case 'equivalent':
      return html`${it} is equivalent to the baseline: ${size}.`
    case 'cannot tell':
      return html`${it} does not differ significantly from the baseline: ${size}.`
  }
}

/** Warnings on where the queries come from: a sample, drafted questions. */
function originOf(board: Leaderboard): Html[] {
  const notes = [
    ['Sample.', sampleNote(board)],
    ['Synthetic questions.', syntheticNote(board)],
  ]
  return notes.flatMap(([title, words]) =>
    words === '' ? [] : [html`<b class="warning">${title}</b> ${withCode(words)}`],
  )
}

function standsIn(board: Leaderboard): Html | null {
  const words = standInNote(board)
  return words === '' ? null : html`<b class="warning">Stand-in embedder.</b> ${withCode(words)}`
}

function tooFew(board: Leaderboard): Html | null {
  const { comparison } = board
  const { n } = rivals(board)[0].whole
  if (n === 0 || n >= FEWEST_QUERIES) return null
  return html`<b class="warning">Too few queries.</b> Means over ${plural(n, 'query', 'queries')} do not generalise to other queries.${comparison ? ` Below ${FEWEST_QUERIES} queries no difference is tested.` : null}`
}

/** Tuned rows that score below each of their trials: the folds chose badly between nearly equal trials. */
function belowItsTrials(board: Leaderboard): Html | null {
  const words = belowTrialsNote(board)
  if (words === '') return null
  // The headline compares the first row with the baseline.
  const headline = belowTrialsNote(board, headlineRows(board)) !== ''
  return html`<b class="${headline ? 'warning' : ''}">Below its trials.</b> <bdi>${words}</bdi>`
}

/** Number of losses named in the verdict. */
const NAMED_LOSSES = 5

function losing(board: Leaderboard): Html | null {
  const rows = rivals(board)
  const losses = lossesOf(rows, signOf(board))
  if (losses.length === 0) return null
  const more = losses.length - NAMED_LOSSES
  const groups = Object.keys(rows[0].groups).length
  const looked = board.one ? plural(groups, 'category', 'categories') : plural(groups, 'dataset')
  return html`<b class="warning">Where it loses.</b> <bdi>${rows[0].name}</bdi> scores far below another row ${board.one ? 'in' : 'on'} ${losses.slice(0, NAMED_LOSSES).map((loss, index) => html`${index > 0 ? '; ' : null}<bdi>${lossInWords(loss)}</bdi>`)}${more > 0 ? `; and in ${more} more` : null}. The ${confidence(board.level)}intervals do not overlap. This is a description over ${looked}, not a test.`
}

const VERDICTS = [
  ['better', 'better'],
  ['worse', 'worse'],
  ['equivalent', 'equivalent'],
  ['cannot tell', 'not significant'],
] as const

function tested(board: Leaderboard): Html | null {
  const { comparison } = board
  if (!comparison || comparison.rows.length === 0) return null
  const { rows, correction, draws, measure, family } = comparison
  const outcomes = rows.map((row) => {
    if (isIdentical(row)) return 'identical'
    return row.untested ? 'not tested' : new Map<string, string>(VERDICTS).get(row.verdict)
  })
  const counted = [...VERDICTS.map(([, words]) => words), 'identical', 'not tested']
    .map((words) => [outcomes.filter((outcome) => outcome === words).length, words] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${quantity(count)} ${words}`)
  const others = family === 'pairs' ? 'between pairs of rows' : html`with <bdi>${baselineName(board)}</bdi>`
  return html`<b>Tested.</b> ${plural(rows.length, 'comparison')} in ${measure} ${others} (${term('family')}: ${family}) by ${term('paired test', testName(rows, draws))}${board.one ? '' : ', stratified by dataset'}, ${term('correction', corrected(correction))}: ${counted.join(', ')}.${comparison.untested ? ` ${untestedNote(comparison)}` : null}`
}

function testLimits(board: Leaderboard): Html | null {
  const { comparison } = board
  if (!comparison || comparison.rows.length === 0) return null
  const { rows, level, correction, family } = comparison
  const unclear = rows.filter((row) => row.verdict === 'cannot tell' && !isIdentical(row) && !row.untested)
  const same = rows.filter(isIdentical)
  const nameOf = comparedName(board)
  const other = family === 'pairs' ? 'between the two rows' : 'from the baseline'
  const identical =
    same.length > 0
      ? html`Identical${family === 'pairs' ? null : ' to the baseline'} on every query: ${listed(same.map(nameOf))}. `
      : null
  const undecided =
    unclear.length > 0
      ? html`No significant difference ${other}: ${listed(unclear.map(nameOf))}. `
      : rows.some((row) => !isIdentical(row) && !row.untested)
        ? 'Every test reached a verdict. '
        : null
  const detectable = rows.flatMap(({ detectable }) => detectable ?? []).sort((a, b) => a - b)
  const size = (difference: number) => points(difference).replace('+', '')
  const [min, max] = [size(detectable[0]), size(detectable[detectable.length - 1])]
  const power =
    detectable.length === 0
      ? 'No minimum detectable effect can be computed.'
      : html`The ${term('minimum detectable effect')} (80 % power) is ${min === max ? min : `${min} to ${max}`} points, with ${plural(countVerdicts(rows[0]), 'query', 'queries')} at level ${level}, ${corrected(correction)}.`
  const reasons = rows.flatMap((row) => (row.untested ? `${nameOf(row)}: ${row.untested}` : []))
  const untested = reasons.length > 0 ? html` Not tested: ${listed(reasons)}.` : null
  return html`<b>Limits of the tests.</b> ${identical}${undecided}${power}${untested}`
}

/** Note on dependent queries: clusters that were resampled, or a warning that `compare.cluster` is missing. */
function dependent(board: Leaderboard): Html | null {
  const { comparison } = board
  const cluster = comparison?.cluster
  const row = comparison?.rows[0]
  if (cluster !== undefined && row?.clusters !== undefined)
    return html`<b>Clusters.</b> Tests and intervals are of ${plural(row.clusters, 'cluster')} of ${plural(row.n, 'query', 'queries')} (<code>compare.cluster: ${cluster}</code>), not of single queries.`
  const words = sharedGoldNote(board)
  return words === '' ? null : html`<b class="warning">Queries share gold.</b> ${withCode(words)}`
}

/** At most six names, each isolated for its writing direction. */
function listed(names: readonly string[]): Html {
  const shown = names.slice(0, 6).map((name, index) => html`${index > 0 ? ', ' : ''}<bdi>${name}</bdi>`)
  return html`${shown}${names.length > shown.length ? `, ${names.length - shown.length} more` : null}`
}

function chosen(board: Leaderboard): Html | null {
  const { ranked, tuning, one } = board
  const [winner] = ranked
  if (tuning.kind === 'none')
    return competing(board) === 0
      ? null
      : html`<b class="warning">Selected on its own test queries.</b> Trials of one strategy compete on the queries that score them, so the best of them will probably score lower on new queries. Add <code>folds: 5</code> to the config for cross-validated tuning.`
  const within = withinWords(board)
  const [title, how] =
    tuning.kind === 'folds'
      ? [
          html`Tuned with ${tuning.folds}-fold ${term('cross-validation')}${within}.`,
          'Each query is scored by the trial that was best on the other folds',
        ]
      : [
          `Tuned on ${percent(tuning.dev, 0)} % of the queries${within}.`,
          'Each strategy is scored on the remaining queries',
        ]
  const own = one?.tuned.find((row) => row.id === winner.id)
  const best =
    own?.chosen.length === 0
      ? html`On the queries it was fitted on, <bdi>${winner.strategy}</bdi>`
      : html`On the queries that selected it, the best trial of <bdi>${winner.strategy}</bdi>`
  return html`<b>${title}</b> ${how} (seed ${tuning.seed}).${own && html` ${best} is ${points(Math.abs(own.optimism)).replace('+', '')} points ${own.optimism < 0 ? 'worse' : 'better'}: this is the ${term('optimism')} of tuning.`}${ranked.length > 1 ? ' The strategies are still ranked on the queries that score them.' : null}`
}

/** Share of queries with deciding ties above which the verdict warns. */
const MANY_TIES = 0.05

function tied(summary: Summary, headline: readonly LeaderboardRow[]): Html | null {
  const { health, primary } = summary
  const many = health.trials.filter(({ ties }) => ties && ties.share > MANY_TIES)
  if (many.length === 0) return null
  const [{ name, ties }] = [...many].sort((a, b) => (b.ties?.share ?? 0) - (a.ties?.share ?? 0))
  const threatened = headline.some(({ id }) =>
    many.some((trial) => trial.id === summary.trials[placeOf(summary, id)]?.id),
  )
  return html`<b class="${threatened ? 'warning' : ''}">Tied scores.</b> ${many.length === 1 ? 'One trial has' : `${quantity(many.length)} trials have`} tied scores at the cutoff on more than ${percent(MANY_TIES, 0)} % of the queries. For <bdi>${name}</bdi>, ${primary} ranges from ${percent(ties?.worst)} to ${percent(ties?.best)} depending on tie order. See <a href="#health">Data health</a>.`
}

/** Notes that affect every number of the page: failures, missing gold, excluded queries. */
function limits({ dataset, trials }: Summary): (Html | null)[] {
  const failed = trials.filter((trial) => trial.failed > 0)
  return [
    failed.length > 0
      ? html`<b class="warning">Failures.</b> ${listed(failed.map((trial) => `${trial.name}: ${plural(trial.failed, 'query', 'queries')}`))}. A failed query counts as 0.`
      : null,
    dataset.missing > 0
      ? html`<b class="warning">Missing gold.</b> ${plural(dataset.missing, 'gold label')} of ${quantity(dataset.gold)} ${dataset.missing === 1 ? 'is' : 'are'} in no document of the corpus and ${dataset.missing === 1 ? 'counts' : 'count'} as not found. ${percent(dataset.evaluability)}\u00a0% of the queries have all their gold in the corpus.`
      : null,
    dataset.unanswerable > 0
      ? html`<b>Excluded.</b> ${plural(dataset.unanswerable, 'unanswerable query', 'unanswerable queries')}, which have no relevant passage.`
      : null,
    dataset.notices.length > 0 ? html`<b>Data notes.</b> ${dataset.notices.join('; ')}.` : null,
  ]
}

function overDatasets(board: Leaderboard): (Html | null)[] {
  const turning = (board.comparison?.rows ?? [])
    .filter(({ datasets }) => {
      const verdicts = datasets.map(({ verdict }) => verdict)
      return verdicts.includes('better') && verdicts.includes('worse')
    })
    .map(comparedName(board))
  const missing = missingNote(board)
  return [
    // The macro mean hides opposite verdicts.
    turning.length > 0
      ? html`<b class="warning">It depends on the dataset.</b> Better on one and worse on another: ${listed(turning)}.`
      : null,
    missing ? html`<b class="warning">Failures.</b> ${missing}` : null,
    html`${macroNote(board)}`,
  ]
}
