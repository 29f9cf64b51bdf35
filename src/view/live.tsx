import { statSync } from 'node:fs'
import type { ComponentChildren } from 'preact'
import type { Budget } from '../config/experiment.ts'
import { readPlan, type StoredPlan, shardsOf } from '../experiment/plan/plan.ts'
import type { Spent } from '../experiment/plan/spending.ts'
import type { RecordedStep } from '../experiment/progress-file.ts'
import { isWhole, listParts, type Part, type PartScores, readScores } from '../experiment/shard/parts.ts'
import { rangeOf } from '../metrics/define.ts'
import { type BoardColumn, scaleOf } from '../report/board.ts'
import { BoardTable, type ShownRow } from '../report/components/board-table.tsx'
import { Facts } from '../report/components/html-table.tsx'
import { confidence } from '../report/notes.ts'
import { dollarsInWords, plural, quantity } from '../report/numbers.ts'
import { joined, say, withCode } from '../report/words.tsx'
import type { Estimate } from '../results/summary.ts'
import { meanInterval } from '../statistics/intervals.ts'
import { momentsOf } from '../statistics/moments.ts'
import type { Entry } from './describe.ts'
import { addressOf, Section, type ViewPage } from './frame.tsx'
import { dateTime, stateMark } from './home.tsx'

export interface Live {
  readonly plan: StoredPlan
  readonly shards: { readonly done: number; readonly total: number }
  readonly queries: { readonly done: number; readonly total: number }
  readonly rows: readonly LiveRow[]
  readonly failures: readonly LiveFailure[]
}

interface LiveRow {
  readonly name: string
  readonly strategy: string
  /** Primary measure; null if no query counts yet. */
  readonly estimate: Estimate | null
}

interface LiveFailure {
  readonly trial: string
  readonly queries: number
  readonly step: string
  readonly message: string
}

/** Reads each part once. Damaged parts are left out: the run repeats them. */
export function openLive(folder: string): () => Promise<Live> {
  const scoresByPart = new Map<string, PartScores | null>()
  return async () => {
    const plan = readPlan(folder)
    const primary = plan.experiment.compare.by
    const parts = listParts(folder, plan.hash)
    const paths = new Set(parts.map(({ path }) => path))
    for (const path of scoresByPart.keys()) if (!paths.has(path)) scoresByPart.delete(path)
    for (const part of parts)
      if (!scoresByPart.has(part.path)) scoresByPart.set(part.path, await readOne(part, primary))
    const read = [...scoresByPart.values()].filter((part) => part !== null).sort((a, b) => a.begin - b.begin)
    const total = shardsOf(plan).length
    return {
      plan,
      shards: { done: read.length, total },
      queries: { done: read.reduce((sum, { begin, end }) => sum + end - begin, 0), total: plan.queries },
      rows: rowsOf(plan, read),
      failures: failuresOf(plan, read),
    }
  }
}

async function readOne(part: Part, primary: string): Promise<PartScores | null> {
  try {
    return isWhole(part) ? await readScores(part, primary) : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function rowsOf(plan: StoredPlan, parts: readonly PartScores[]): LiveRow[] {
  const { experiment, scale } = plan
  const { level, cluster } = experiment.compare
  const rows = (plan.trials ?? []).map(({ name, strategy }, trial): LiveRow => {
    const counted = Float64Array.from(
      parts.flatMap(({ values }) => [...values[trial]].filter((value) => !Number.isNaN(value))),
    )
    return { name, strategy, estimate: counted.length === 0 ? null : estimateOf(counted) }
  })
  const sign = scale?.better === 'lower' ? -1 : 1
  const quality = ({ estimate }: LiveRow) => (estimate ? sign * estimate.mean : Number.NEGATIVE_INFINITY)
  return rows.sort((a, b) => quality(b) - quality(a))

  // Parts lack the clusters of queries.
  function estimateOf(values: Float64Array): Estimate {
    const range = rangeOf({ bounded: scale.bounded })
    const limits = cluster === undefined ? meanInterval([values], level, range) : { low: null, high: null }
    return { mean: momentsOf(values).mean, ...limits, n: values.length }
  }
}

function failuresOf({ trials = [] }: StoredPlan, parts: readonly PartScores[]): LiveFailure[] {
  return trials.flatMap(({ name }, trial) => {
    const trialFailures = parts.flatMap(({ failures }) =>
      failures[trial].filter((failure) => failure !== null),
    )
    return trialFailures.length === 0
      ? []
      : [{ trial: name, queries: trialFailures.length, ...trialFailures[0] }]
  })
}

/** Progress by the parts' times, for runs on other machines. */
function shardStep(folder: string, { plan, shards }: Live): RecordedStep {
  const times = listParts(folder, plan.hash)
    .map(({ path }) => statSync(path, { throwIfNoEntry: false })?.mtimeMs)
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b)
  const [started = 0, reported = 0] = [times[0], times.at(-1)]
  return { what: 'shards', ...shards, first: Math.min(1, shards.done), started, reported }
}

function secondsLeft({ done, total, first, started, reported }: RecordedStep): number | null {
  if (done <= first || reported <= started) return null
  return ((total - done) * (reported - started)) / (done - first) / 1000
}

const MAX_ROWS = 100

/** Minimum seconds of a listed finished step. */
const WORTH_A_LINE = 1

/** Page of an experiment without a report; `live` is null before its plan is written. */
export function livePage(entry: Entry, live: Live | null, folder: string): ViewPage {
  const { name, datasets } = entry
  return {
    title: name,
    heading: (
      <>
        {nameHeading(name)}
        <p class="subtitle">
          <bdi>{datasets.join(', ')}</bdi>
        </p>
      </>
    ),
    main: (
      <>
        <section id="state">
          <p class="lead">
            {stateMark({ ...entry, progress: null })}
            {stateWords(entry, live)}
          </p>
        </section>
        {progressSection(entry, live)}
        {spentSection(entry)}
        {live && boardSection(live)}
        {live && failureSection(live)}
        <p class="folder caption">{folder}</p>
      </>
    ),
    live: true,
  }
}

function nameHeading(name: string) {
  return (
    <h1>
      <bdi>{name}</bdi>
    </h1>
  )
}

/** Page of an experiment that has not begun. */
export function awaitedPage(name: string): ViewPage {
  return {
    title: name,
    heading: nameHeading(name),
    main: (
      <section id="state">
        <p class="lead">
          There is no experiment of this name. This page shows its progress as soon as its run begins.
        </p>
      </section>
    ),
    live: true,
  }
}

function stateWords({ state, name, reason, runner, progress, children, date }: Entry, live: Live | null) {
  if (state === 'finished')
    return say`. The experiment is finished. ${<a href={addressOf('report', name)}>Open the report</a>}`
  if (reason !== '') return say`: ${withCode(reason)}`
  const resume = 'Run the same command again to resume: nothing is lost.'
  const shards = live && `${quantity(live.shards.done)} of ${plural(live.shards.total, 'shard')} done.`
  const datasets = children.map((child) => (
    <a href={addressOf('live', name === '.' ? child : `${name}/${child}`)}>
      <bdi>{child}</bdi>
    </a>
  ))
  const below = children.length > 0 && say` Datasets: ${joined(datasets)}.`
  if (state === 'stopped') return say` since ${dateTime(date)}. ${shards} ${resume}${below}`
  const since = progress && say` since ${dateTime(progress.started)}`
  const by =
    runner &&
    ` in process ${runner.pid} on ${runner.name}${runner.elsewhere ? ', which cannot be examined from here' : ''}`
  return say`${since}${by}. ${shards}${below}`
}

function progressSection({ state, progress, folder }: Entry, live: Live | null) {
  const steps = progress?.steps ?? (live && live.shards.done > 0 ? [shardStep(folder, live)] : [])
  if (steps.length === 0 || (state !== 'running' && !live)) return null
  // A step is over once a later one has begun.
  const whole = steps.map((step, at) =>
    steps.slice(at + 1).some(({ started }) => started >= step.reported)
      ? { ...step, done: step.total }
      : step,
  )
  const shown = whole.filter(
    ({ done, total, started, reported }) => done < total || (reported - started) / 1000 >= WORTH_A_LINE,
  )
  return (
    <Section id="progress" title="Progress">
      <ul class="steps">{shown.map((step) => stepLine(step, state === 'running'))}</ul>
    </Section>
  )
}

function stepLine(step: RecordedStep, isRunning: boolean) {
  const { what, done, total, first, started, reported } = step
  if (done >= total)
    return (
      <li class="done">
        <span class="what">✓ {what}</span>
        <span>{total > 1 && quantity(total - first)}</span>
        <span>{duration((reported - started) / 1000)}</span>
      </li>
    )
  const left = isRunning ? secondsLeft(step) : null
  return (
    <li>
      <span class="what">{what}</span>
      <span>
        {total > 1 && [
          <progress value={done} max={total} aria-label={what} />,
          ` ${quantity(done)} of ${quantity(total)}`,
        ]}
      </span>
      <span>{left !== null && `about ${duration(left)} left`}</span>
    </li>
  )
}

/** `8.0 s`, `1 min 17 s`, `2 h 5 min`. */
function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

function spentSection({ progress }: Entry) {
  if (!progress || (progress.spent.requests === 0 && progress.spent.tokens === 0)) return null
  const { spent, budget } = progress
  return (
    <Section id="spent" title="Model calls">
      <Facts rows={spentFacts(spent, budget)} />
    </Section>
  )
}

function spentFacts(spent: Spent, budget: Budget | null): [string, ComponentChildren][] {
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
      say`${quantity(spent.requests)}${spent.failed > 0 && say`, ${<span class="warning">{quantity(spent.failed)} failed</span>}; the last: ${spent.failure}`}`,
    ],
  ]
}

function boardSection({ plan, queries, rows }: Live) {
  const scored = rows.filter(({ estimate }) => estimate !== null)
  if (scored.length === 0) return null
  const { by, level, cluster } = plan.experiment.compare
  const strategies = [...new Set(scored.map(({ strategy }) => strategy))]
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
  const liveRows = shown.map(
    ({ name, strategy, estimate }, at): LiveBoardRow => ({
      ...NOTHING,
      id: String(at),
      name,
      strategy,
      estimate,
    }),
  )
  const measure: BoardColumn<LiveBoardRow> = {
    name: by,
    title: '',
    format: plan.scale.bounded ? 'percent' : 'count',
    value: ({ estimate }) => estimate && { value: estimate.mean, low: estimate.low, high: estimate.high },
  }
  return (
    <Section id="board" title="Leaderboard so far">
      <p class="caption">
        {by}
        {plan.scale.bounded && ' in percent'}, over {quantity(queries.done)} of{' '}
        {plural(queries.total, 'query', 'queries')}
        {judged}. {intervals}
        {cut}
      </p>
      <BoardTable
        id="live-board"
        board={{ strategies, isTuned: false, columns: [measure] }}
        rows={liveRows}
        columns={[]}
        scale={scaleOf(measure, liveRows)}
        label="Leaderboard so far"
        isExplained={false}
      />
    </Section>
  )
}

interface LiveBoardRow extends ShownRow {
  readonly estimate: Live['rows'][number]['estimate']
}

const NOTHING = { baseline: false, compared: null, untested: '' } as const

function failureSection({ failures }: Live) {
  if (failures.length === 0) return null
  return (
    <Section id="failures" title="Failed queries">
      <ul class="findings">
        {failures.map(({ trial, queries, step, message }) => (
          <li>
            <b class="warning">{plural(queries, 'query', 'queries')}</b> of <bdi>{trial}</bdi>; first in the
            step <code>{step}</code>: {message}
          </li>
        ))}
      </ul>
    </Section>
  )
}
