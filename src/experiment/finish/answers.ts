import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnswerSource } from '../../answer/answerers/index.ts'
import { citationsOf, isOnlyCitations, isRefusal, withoutCitations } from '../../answer/citations.ts'
import { type AnswerContext, passageText } from '../../answer/context.ts'
import type { JudgeScore } from '../../answer/judges/judge.ts'
import type { Judgeable } from '../../answer/measures.ts'
import { type AnswerSteps, answerSteps, judgeStep, openAnswerer } from '../../answer/steps.ts'
import { textUnits } from '../../corpus/corpus.ts'
import { UserError } from '../../errors.ts'
import type { CachedModel } from '../../models/completions/cached-model.ts'
import { type ChatOutcome, together } from '../../models/completions/chat.ts'
import type { TokenPrice } from '../../models/completions/cost.ts'
import { recordingOf } from '../../models/completions/recorded.ts'
import { parseCompletion, type StoredCompletion } from '../../models/completions/request.ts'
import { createMemo, type MemoCell } from '../../retrieve/evaluate.ts'
import { runStep } from '../../retrieve/run-step.ts'
import { countCompletions } from '../../retrieve/steps/asking.ts'
import { wasStopped } from '../../stopping.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import { writeWhole } from '../../store/write.ts'
import type { Chunk, JudgedQuery, Progress } from '../../types.ts'
import { type RequestOptions, watchModels } from '../plan/ask-ahead.ts'
import type { OpenExperiment } from '../plan/open.ts'
import { wrapModels } from '../plan/requests.ts'
import { adviceAfter, callPrices } from '../plan/spending.ts'
import type { Session } from '../shard/session.ts'
import { type AnswerRow, type GivenAnswer, type Judged, measured } from './answer-rows.ts'
import { callCost } from './describe.ts'

const BLOCK = 64

/**
 * Answers every query over each finalist, measures and judges the answers, and stores completions in `answers.jsonl`.
 * Null if interrupted. Throws a UserError if a key or a recorded completion is missing, or the budget is used up.
 */
export async function answerQuestions(
  session: Session,
  open: OpenExperiment,
  finalists: readonly number[],
  { signal, progress, clock, spending }: RequestOptions,
): Promise<{ readonly rows: readonly AnswerRow[]; readonly judged: readonly Judged[] } | null> {
  const { trials, queries } = session
  const { answering, judging, context } = open.experiment
  const answerers = answering.map((answering) => ({ answering, answerer: openAnswerer(answering.choice) }))
  const planned = [null, ...finalists].flatMap((trial) =>
    answerers
      .filter(({ answerer: { source } }) => (source.closedBook === true) === (trial === null))
      .map(({ answering, answerer }): PlannedRow => {
        const steps = answerSteps(answerer, trials[trial ?? 0], context.top)
        const models = Object.values(steps.answer.artifacts) as Artifact<CachedModel>[]
        return { answering, trial, steps, source: answerer.source, models, answers: [] }
      }),
  )
  const judges = judging.map(({ name, choice }) => ({ name, ...judgeStep(choice, trials[0].ranking.recipe) }))
  const models = [
    ...planned.flatMap(({ models }) => models),
    ...judges.flatMap(({ artifacts: { model } }) => model ?? []),
  ]
  const watch = watchModels(open, models, { signal, progress, spending })
  const store = wrapModels(session.store, models, watch.watched)
  const left = { answers: 0, verdicts: judges.length * planned.length * queries.length }
  for (const { models } of planned) if (models.length > 0) left.answers += queries.length
  const all = { ...left }
  let done = 0

  async function answerTrial(trial: number | null): Promise<void> {
    const rows = planned.filter((row) => row.trial === trial)
    const chunks = await session.store.open(textUnits(trials[trial ?? 0].ranking.recipe))
    for (let from = 0; from < queries.length && rows.length > 0; from += BLOCK) {
      const block = queries.slice(from, from + BLOCK)
      const memo = createMemo(store, block, clock)
      for (const { steps } of rows) await memo.cells(steps.context)
      const cells = await together(rows, ({ steps }) => memo.cells(steps.answer)).finally(watch.throwIfEnded)
      for (const [at, row] of rows.entries()) {
        for (const index of block.keys()) {
          const sent = memo.cell(row.steps.context, index) as MemoCell
          const answer = cells[at][index] as MemoCell
          row.answers.push(answerOf(session, row, from + index, { sent, answer, chunks, prices }))
        }
        if (row.models.length > 0) left.answers -= block.length
      }
      done += block.length
      progress('answers', done, new Set(planned.map(({ trial }) => trial)).size * queries.length)
    }
  }

  const prices = callPrices(open.experiment)
  try {
    for (const trial of [null, ...finalists]) await answerTrial(trial)
    watch.keepFailures()
    const rows = planned.map(measured)
    const judged: Judged[] = []
    for (const judge of judges)
      judged.push(
        await judgeRows(judge, rows, { store, queries, progress, after: watch.throwIfEnded }, (verdicts) => {
          left.verdicts -= verdicts
          progress('judging answers', all.verdicts - left.verdicts, all.verdicts)
        }),
      )
    watch.keepFailures()
    addToRecording(session.folder, watch.completions.values())
    return { rows, judged }
  } catch (error) {
    if (wasStopped(signal)) return null
    const advice = adviceAfter(error)
    const undone = [
      left.answers > 0 ? `${left.answers} of ${all.answers} answers to questions` : '',
      left.verdicts > 0 ? `${left.verdicts} of ${all.verdicts} verdicts on answers` : '',
    ]
    throw new UserError(
      `${(error as Error).message}; left undone: ${undone.filter(Boolean).join(', ')}. ${advice}`,
    )
  }
}

interface PlannedRow extends Pick<AnswerRow, 'answering' | 'trial'> {
  readonly steps: AnswerSteps
  readonly source: AnswerSource
  readonly models: readonly Artifact<CachedModel>[]
  readonly answers: GivenAnswer[]
}

const NO_PASSAGES: AnswerContext = { passages: [], tokens: 0 }

interface Cells {
  readonly sent: MemoCell
  readonly answer: MemoCell
  readonly chunks: readonly Chunk[]
  readonly prices: Readonly<Record<string, TokenPrice>>
}

function answerOf(
  session: Session,
  { trial, source }: PlannedRow,
  query: number,
  { sent, answer, chunks, prices }: Cells,
): GivenAnswer {
  const { text: question, answers: references, answerable, evidence } = session.queries[query]
  const { passages, tokens } = (sent.value as AnswerContext | undefined) ?? NO_PASSAGES
  const written = answer.failure ? '' : (answer.value as ChatOutcome<string>).value
  const isEmpty = isOnlyCitations(written)
  const { cited, wrong } = citationsOf(written, passages.length)
  const { counts = {} } = (sent.failure ? undefined : answer.facts) ?? {}
  const { modelCalls = 0, inputTokens = 0, outputTokens = 0, callsEstimated = 0, callsCut = 0 } = counts
  const cost = callCost(counts, prices)
  const isPriced = cost.inputTokens === inputTokens && cost.outputTokens === outputTokens
  const { labels, locator } = session.corpora[session.trials[trial ?? 0].recipe]
  const isSent = trial !== null || passages.length > 0
  const hasGold = isSent && labels[query].grades.some((grade) => grade > 0)
  return {
    references,
    ...(evidence && { evidence }),
    answerable,
    gold: hasGold ? passages.map(({ rows }) => locator.holdsGold(rows, labels[query])) : null,
    chunks: passages.map(({ rows }) => (rows.length === 1 ? chunks[rows[0]].id : '')),
    passages: passages.map(passageText),
    sent: tokens,
    written,
    text: isEmpty ? '' : withoutCitations(written),
    refused: !answer.failure && !isEmpty && isRefusal(written),
    cited,
    wrong: wrong.length,
    modelCalls,
    inputTokens,
    outputTokens,
    dollars: isPriced ? cost.dollars : Number.NaN,
    estimated: callsEstimated > 0,
    cut: callsCut,
    ...recordedCosts(source, question),
    failure: sent.failure
      ? `${sent.failure.step}: ${sent.failure.message}`
      : (answer.failure?.message ?? (isEmpty ? 'the answer cites passages and says nothing' : null)),
  }
}

function recordedCosts({ records }: AnswerSource, question: string): Partial<GivenAnswer> {
  const { calls, tokens, cost, latency } = records?.get(question.trim()) ?? {}
  return {
    ...(calls !== undefined && { modelCalls: calls }),
    ...(tokens && { inputTokens: tokens.input, outputTokens: tokens.output }),
    ...(cost !== undefined && { dollars: cost }),
    ...(latency !== undefined && { seconds: latency }),
  }
}

function addToRecording(folder: string, completions: Iterable<StoredCompletion>): void {
  const file = join(folder, 'answers.jsonl')
  const before = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => parseCompletion(line, file))
    : []
  const all = recordingOf([...before, ...completions])
  if (all.completions > 0) writeWhole(file, all.text)
}

interface JudgeOptions {
  readonly store: Store
  readonly queries: readonly JudgedQuery[]
  readonly progress: Progress
  readonly after: () => void
}

/** Adds a judge's values and reasons to rows. `count` receives the number of new verdicts. */
async function judgeRows(
  { name, step, labels, artifacts }: { readonly name: string } & ReturnType<typeof judgeStep>,
  rows: readonly AnswerRow[],
  { store, queries, progress, after }: JudgeOptions,
  count: (verdicts: number) => void,
): Promise<Judged> {
  const { model, vectors } = artifacts
  if (vectors) await store.prepare(vectors, progress)
  const opened = {
    ...(model && { model: await store.open(model) }),
    ...(vectors && { vectors: await store.open(vectors) }),
  }
  const counters: Record<string, number> = {}
  const failures: Judged['failures'][number][] = []

  async function judge(answers: readonly Judgeable[], row: AnswerRow | null, from: number) {
    const block = answers.map((answer) => [answer])
    const ids = answers.map(({ question }) => question)
    const outcomes = await runStep(step, { params: null, artifacts: opened }, block, ids).finally(after)
    return outcomes.map((outcome, at) => {
      const scored = 'value' in outcome ? (outcome.value as ChatOutcome<JudgeScore>) : null
      const counts = scored ? countCompletions(scored.completions) : 'failure' in outcome && outcome.counts
      for (const [counter, amount] of Object.entries(counts || {}))
        counters[counter] = (counters[counter] ?? 0) + amount
      if ('failure' in outcome) failures.push({ row, query: from + at, message: outcome.failure.message })
      const value = scored?.value ?? Number.NaN
      return typeof value === 'number' ? { value, reason: '' } : value
    })
  }

  for (const row of rows) {
    const column = new Float64Array(queries.length)
    const reasons: string[] = []
    for (let from = 0; from < queries.length; from += BLOCK) {
      const answers = row.answers
        .slice(from, from + BLOCK)
        .map((answer, at) => ({
          ...answer,
          question: queries[from + at].text,
          failed: answer.failure !== null,
        }))
      const verdicts = await judge(answers, row, from)
      verdicts.forEach(({ value }, at) => {
        column[from + at] = value
      })
      reasons.push(...verdicts.map(({ reason }) => reason))
      count(verdicts.length)
    }
    row.values.set(name, column)
    row.reasons.set(name, reasons)
  }
  const values =
    labels &&
    (await judge(
      labels.map(({ answer }) => answer),
      null,
      0,
    ))
  const labelled = values && labels.map(({ label }, at) => ({ value: values[at].value, label }))
  return { name, counters, failures, labelled }
}
