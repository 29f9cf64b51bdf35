import type { Budget } from '../../config/experiment.ts'
import type { Spent } from '../../experiment/plan/spending.ts'
import type { RecordedStep } from '../../experiment/progress-file.ts'
import { type Html, html, withCode } from '../../report/html.ts'
import { confidence } from '../../report/leaderboard-rows.ts'
import { measured } from '../../report/measured.ts'
import { dollarsInWords, plural, quantity } from '../../report/numbers.ts'
import { htmlTable } from '../../report/table.ts'
import { nameCell, rangeOf, whisker } from '../../report/views/leaderboard.ts'
import type { Entry } from '../describe.ts'
import { type Live, type LiveRow, secondsLeft, shardStep } from '../live.ts'
import { addressOf, type ViewPage } from './frame.ts'
import { dateTime, stateMark } from './home.ts'

/** Rows of the leaderboard that a page shows. */
const MAX_ROWS = 100

/** Seconds of a finished step that are worth a line. */
const WORTH_A_LINE = 1

/** Page of an experiment that has no report: it runs, was stopped, is damaged or of another format. `live` is null before its plan is written. */
export function livePage(entry: Entry, live: Live | null, folder: string): ViewPage {
  const { name, datasets } = entry
  return {
    title: name,
    heading: html`<h1><bdi>${name}</bdi></h1><p class="subtitle"><bdi>${datasets.join(', ')}</bdi></p>`,
    main: html`${stateSection(entry, live)}${progressSection(entry, live)}${spentSection(entry)}${live && boardSection(live)}${live && failureSection(live)}<p class="folder caption">${folder}</p>`,
    live: true,
  }
}

/** Page of an experiment that has no files yet. */
export function awaitedPage(name: string): ViewPage {
  return {
    title: name,
    heading: html`<h1><bdi>${name}</bdi></h1>`,
    main: html`<section id="state"><p class="lead">There is no experiment of this name. This page shows its progress as soon as its run begins.</p></section>`,
    live: true,
  }
}

function stateSection(entry: Entry, live: Live | null): Html {
  return html`<section id="state"><p class="lead">${stateMark({ ...entry, progress: null })}${stateWords(entry, live)}</p></section>`
}

function stateWords(
  { state, name, reason, runner, progress, children, date }: Entry,
  live: Live | null,
): Html {
  if (state === 'finished')
    return html`. The experiment is finished. <a href="${addressOf('report', name)}">Open the report</a>`
  if (reason !== '') return html`: ${withCode(reason)}`
  const resume = 'Run the same command again to resume: nothing is lost.'
  const shards = live && html`${quantity(live.shards.done)} of ${plural(live.shards.total, 'shard')} done.`
  const below =
    children.length === 0
      ? null
      : html` Datasets: ${children.map((child, at) => html`${at > 0 ? ', ' : null}<a href="${addressOf('live', name === '.' ? child : `${name}/${child}`)}"><bdi>${child}</bdi></a>`)}.`
  if (state === 'stopped') return html` since ${dateTime(date)}. ${shards} ${resume}${below}`
  const since = progress && html` since ${dateTime(progress.started)}`
  const by = runner
    ? html` in process ${String(runner.pid)} on ${runner.name}${runner.elsewhere ? ', which cannot be examined from here' : null}`
    : null
  return html`${since}${by}. ${shards}${below}`
}

function progressSection({ state, progress, folder }: Entry, live: Live | null): Html | null {
  const steps = progress?.steps ?? (live && live.shards.done > 0 ? [shardStep(folder, live)] : [])
  if (steps.length === 0 || (state !== 'running' && !live)) return null
  const shown = steps.filter(
    ({ done, total, started, reported }) => done < total || (reported - started) / 1000 >= WORTH_A_LINE,
  )
  return html`<section id="progress" aria-labelledby="progress-title"><h2 id="progress-title">Progress</h2><ul class="steps">${shown.map((step) => stepLine(step, state === 'running'))}</ul></section>`
}

function stepLine(step: RecordedStep, isRunning: boolean): Html {
  const { what, done, total, first, started, reported, note } = step
  const took = (reported - started) / 1000
  if (done >= total)
    return html`<li class="done"><span class="what">✓ ${what}</span><span>${total > 1 ? quantity(total - first) : null}</span><span>${duration(took)}</span></li>`
  const left = isRunning ? secondsLeft(step) : null
  const count = total > 1 ? `${quantity(done)} of ${quantity(total)}` : ''
  const bar =
    total > 1
      ? html`<progress value="${String(done)}" max="${String(total)}" aria-label="${what}"></progress>`
      : null
  return html`<li><span class="what">${what}</span><span>${bar} ${count}</span><span>${left === null ? null : `about ${duration(left)} left`}</span>${note ? html`<small>${note}</small>` : null}</li>`
}

/** `8 s`, `1 min 17 s`, `2 h 5 min`. */
function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** Cost of the model calls so far against the budget; nothing without calls. */
function spentSection({ progress }: Entry): Html | null {
  if (!progress || (progress.spent.requests === 0 && progress.spent.tokens === 0)) return null
  const { spent, budget } = progress
  return html`<section id="spent" aria-labelledby="spent-title"><h2 id="spent-title">Model calls</h2><dl class="facts">${spentFacts(spent, budget).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`
}

function spentFacts(spent: Spent, budget: Budget | null): [string, Html | string][] {
  const { dollars, tokens, minutes } = budget ?? {}
  const of = (limit: string | undefined) => (limit === undefined ? '' : ` of ${limit}`)
  const unpriced = spent.unpriced ? ' or more: some calls have no known price' : ''
  return [
    [
      'cost',
      `${dollarsInWords(spent.dollars)}${of(dollars === undefined ? undefined : dollarsInWords(dollars))}${unpriced}`,
    ],
    ['tokens', `${quantity(spent.tokens)}${of(tokens === undefined ? undefined : quantity(tokens))}`],
    ...(minutes === undefined ? [] : [['time budget', plural(minutes, 'minute')] as [string, string]]),
    [
      'requests',
      html`${quantity(spent.requests)}${spent.failed > 0 ? html`, <span class="warning">${quantity(spent.failed)} failed</span>; the last: ${spent.failure}` : null}`,
    ],
  ]
}

function boardSection({ plan, queries, rows }: Live): Html | null {
  const scored = rows.filter(({ estimate }) => estimate !== null)
  if (scored.length === 0) return null
  const { by, level, cluster } = plan.experiment.compare
  const scales = { scales: { [by]: plan.scale } }
  const range = rangeOf(scored.flatMap(({ estimate }) => estimate ?? []))
  const strategies = [...new Set(plan.trials.map(({ strategy }) => strategy))]
  const name = nameCell(strategies, (_, __, text) => html`${text}`)
  const shown = scored.slice(0, MAX_ROWS)
  const cut =
    scored.length > shown.length
      ? ` The first ${quantity(shown.length)} of ${quantity(scored.length)} trials.`
      : ''
  const n = scored[0].estimate?.n ?? 0
  const judged = n < queries.done ? `, ${quantity(n)} judged` : ''
  const intervals =
    cluster === undefined
      ? `Each ${confidence(level)}interval is provisional: not corrected for selecting the best row, nor for looking before the end.`
      : 'Intervals by cluster come with the result.'
  return html`<section id="board" aria-labelledby="board-title"><h2 id="board-title">Leaderboard so far</h2>${htmlTable<LiveRow>(
    {
      id: 'live-board',
      caption: html`${by}${plan.scale.bounded ? ' in percent' : null}, over ${quantity(queries.done)} of ${plural(queries.total, 'query', 'queries')}${judged}. ${intervals}${cut}`,
      columns: [
        { head: 'trial', left: true, html: (row) => name({ ...row, baseline: false }) },
        { head: by, html: ({ estimate }) => html`<b>${measured(scales, by, estimate?.mean)}</b>` },
        {
          head: 'interval',
          left: true,
          html: ({ estimate }) => (plan.scale.bounded ? whisker(estimate ?? undefined, range) : null),
        },
      ],
      rows: shown,
    },
  )}</section>`
}

function failureSection({ failures }: Live): Html | null {
  if (failures.length === 0) return null
  return html`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failed queries</h2><ul class="findings">${failures.map(
    ({ trial, queries, step, message }) =>
      html`<li><b class="warning">${plural(queries, 'query', 'queries')}</b> of <bdi>${trial}</bdi>; first in the step <code>${step}</code>: ${message}</li>\n`,
  )}</ul></section>`
}
