import { answerers } from '../../answer/answerers/index.ts'
import { citationsOf, isOnlyCitations, isRefusal, withoutCitations } from '../../answer/citations.ts'
import { type AnswerContext, assembleContext, contextParamsOf, passageText } from '../../answer/context.ts'
import type { Answering } from '../../config/experiment.ts'
import { textUnits } from '../../corpus/corpus.ts'
import { textMatcher } from '../../corpus/match-texts.ts'
import { type GivenCompletion, together } from '../../models/completions/chat.ts'
import { dollarsOfUsage, type TokenPrice } from '../../models/completions/cost.ts'
import { resolve } from '../../registry.ts'
import { createMemo } from '../../retrieve/evaluate.ts'
import type { RecordedQuery } from '../../runs/recorded.ts'
import type { Evidence, Ranking } from '../../types.ts'
import { contextCorpus } from '../context-corpus.ts'
import { callPrices } from '../plan/call-prices.ts'
import type { OpenExperiment } from '../plan/open.ts'
import type { Session } from '../shard/session.ts'
import type { AnswerRow, GivenAnswer } from './answer-row.ts'
import { type AnsweringOptions, type AskedModels, askForQuery, askModels } from './ask-models.ts'

/** Queries whose rankings are in memory at once. */
const BLOCK = 64

const NO_PASSAGES: AnswerContext = { passages: [], tokens: 0 }

/**
 * Answers every query over each finalist's ranking, with each answerer of the config. Null if it was interrupted. Throws
 * as `askModels` does.
 */
export async function answerQuestions(
  session: Session,
  open: OpenExperiment,
  finalists: readonly number[],
  options: AnsweringOptions,
): Promise<AnswerRow[] | null> {
  const { queries } = session
  const prices = callPrices(open.experiment)
  let toAsk = 0
  let settled = 0
  async function answerAll(models: AskedModels): Promise<AnswerRow[]> {
    const { experiment } = open
    const opened = await Promise.all(experiment.answering.map((one) => openAnswerer(one, models)))
    const asking = opened.filter(({ model }) => model)
    const rowsOf = ({ source }: OpenAnswerer) => (source.closedBook ? 1 : finalists.length)
    toAsk = asking.reduce((sum, answerer) => sum + rowsOf(answerer) * queries.length, 0)
    const answer: Answer = async (answerer, query, sent) => {
      const given =
        'failure' in sent
          ? { ...answerOf(queries[query], NO_PASSAGES, prices), failure: sent.failure }
          : await answerOne(models, answerer, queries[query], sent, prices)
      if (answerer.model) settled++
      return given
    }
    const rows: AnswerRow[] = []
    const closed = opened.filter(({ source }) => source.closedBook)
    const match = closed.some(({ source }) => source.context) ? await rowMatcher(session) : undefined
    for (const answerer of closed) {
      const { source } = answerer
      const answers = await together(queries, async ({ text }, query) => {
        const given = source.context?.(text)
        if (!given || !match) return answer(answerer, query, NO_PASSAGES)
        const sent = {
          ...given,
          passages: given.passages.map((one) => ({ ...one, rows: match.rowsOf(one.text) })),
        }
        const took = costsOf(source.records?.get(text.trim()))
        const { chunks, gold } = match.described(query, sent)
        return { ...(await answer(answerer, query, sent)), ...took, chunks, gold }
      }).finally(models.watch.throwIfEnded)
      rows.push({ answering: answerer.answering, trial: null, answers })
    }
    const reading = opened.filter(({ source }) => !source.closedBook)
    let done = 0
    const progress = (count: number) => {
      done += count
      options.progress('answers', done, finalists.length * queries.length)
    }
    for (const trial of finalists) {
      const { clock } = options
      const top = experiment.context.top
      rows.push(...(await answerTrial(session, trial, reading, { models, answer, clock, top, progress })))
    }
    return rows
  }
  return askModels(
    session,
    open,
    options,
    answerAll,
    () => `${toAsk - settled} of ${toAsk} answers to questions`,
  )
}

/** Token prices by name of the model; absent if unknown. */
type Prices = Readonly<Record<string, TokenPrice | undefined>>

type OpenAnswerer = Awaited<ReturnType<typeof openAnswerer>>

async function openAnswerer(answering: Answering, models: AskedModels) {
  const { definition, params } = resolve(answerers, answering.choice)
  const open = async (name: unknown) => (typeof name === 'string' ? await models.open(name) : undefined)
  const [model, mapModel] = [await open(params.model), await open(params.mapModel)]
  return { answering, source: definition.make(params), params, model, mapModel }
}

/** Answers one query from a context, or passes on the failure of its retrieval. */
type Answer = (
  answerer: OpenAnswerer,
  query: number,
  sent: AnswerContext | { readonly failure: string },
) => Promise<GivenAnswer>

interface TrialOptions {
  readonly models: AskedModels
  readonly answer: Answer
  readonly clock: () => number
  /** Chunks of a context, if the answerer does not say. */
  readonly top: number
  readonly progress: (queries: number) => void
}

/** Answers every query from one trial's rankings: one row per answerer. */
async function answerTrial(
  session: Session,
  index: number,
  answerers: readonly OpenAnswerer[],
  { models, answer, clock, top, progress }: TrialOptions,
): Promise<AnswerRow[]> {
  const { queries, store } = session
  const trial = session.trials[index]
  const corpus = await contextCorpus(store, trial)
  const rows = answerers.map(() => [] as GivenAnswer[])
  for (let from = 0; from < queries.length; from += BLOCK) {
    const block = queries.slice(from, from + BLOCK)
    const memo = createMemo(store, block, clock)
    const rankings = await memo.cells(trial.ranking)
    const found = trial.evidence ? await memo.cells(trial.evidence) : []
    // All answerers at once, within the limits of their models.
    const tasks = answerers.flatMap((answerer, row) => block.map((_, at) => ({ answerer, row, at })))
    await together(tasks, async ({ answerer, row, at }) => {
      const failure = rankings[at]?.failure ?? found[at]?.failure
      const sent = failure
        ? NO_PASSAGES
        : assembleContext(
            (rankings[at]?.value as Ranking | undefined)?.rows ?? [],
            (found[at]?.value ?? []) as readonly Evidence[],
            corpus,
            contextParamsOf(answerer.params, top),
          )
      const given = await answer(
        answerer,
        from + at,
        failure ? { failure: `${failure.step}: ${failure.message}` } : sent,
      )
      rows[row][from + at] = {
        ...given,
        chunks: chunksOf(sent, corpus.chunks),
        gold: goldOf(session, trial.recipe, from + at, sent),
      }
    }).finally(models.watch.throwIfEnded)
    progress(block.length)
  }
  return answerers.map(({ answering }, row) => ({ answering, trial: index, answers: rows[row] }))
}

/** Chunk of each passage; '' for evidence and for several chunks. */
function chunksOf({ passages }: AnswerContext, chunks: readonly { readonly id: string }[]): string[] {
  return passages.map(({ rows: [first, ...more] }) =>
    first === undefined || more.length > 0 ? '' : chunks[first].id,
  )
}

/** Finds chunks of the first variant for passages of another system, and whether they hold gold. */
async function rowMatcher(session: Session) {
  const { recipe } = session.trials[0]
  const chunks = await session.store.open(textUnits(session.trials[0].ranking.recipe))
  const match = textMatcher(chunks)
  return {
    rowsOf: match,
    described: (query: number, sent: AnswerContext) => ({
      chunks: chunksOf(sent, chunks),
      gold: sent.passages.length > 0 ? goldOf(session, recipe, query, sent) : null,
    }),
  }
}

/** Costs that another system recorded with its answer. */
function costsOf({ calls, tokens, cost, latency }: Partial<RecordedQuery> = {}): Partial<GivenAnswer> {
  return {
    ...(calls !== undefined && { modelCalls: calls }),
    ...(tokens && { inputTokens: tokens.input, outputTokens: tokens.output }),
    ...(cost !== undefined && { dollars: cost }),
    ...(latency !== undefined && { seconds: latency }),
  }
}

async function answerOne(
  { watch }: AskedModels,
  { source, model, mapModel }: OpenAnswerer,
  query: Session['queries'][number],
  sent: AnswerContext,
  prices: Prices,
): Promise<GivenAnswer> {
  const outcome = await askForQuery(watch, [model, mapModel], (...chats) =>
    source.answer(query.text, sent, ...chats),
  )
  const known = answerOf(query, sent, prices, outcome.completions)
  if ('failure' in outcome) return { ...known, failure: outcome.failure }
  const written = outcome.value
  if (isOnlyCitations(written))
    return { ...known, written, failure: 'the answer cites passages and says nothing' }
  const { cited, wrong } = citationsOf(written, sent.passages.length)
  return {
    ...known,
    written,
    text: withoutCitations(written),
    refused: isRefusal(written),
    cited,
    wrong: wrong.length,
    failure: null,
  }
}

/** True for each passage that holds gold; null if the query has none. */
function goldOf(
  { corpora }: Session,
  recipe: number,
  query: number,
  { passages }: AnswerContext,
): boolean[] | null {
  const { labels, locator } = corpora[recipe]
  const { grades } = labels[query]
  if (!grades.some((grade) => grade > 0)) return null
  return passages.map(({ rows }) => {
    const ranking = { rows: Uint32Array.from(rows), scores: new Float64Array(rows.length) }
    const found = locator.holds(ranking, labels[query])
    return grades.some((grade, label) => grade > 0 && found[label] === 1)
  })
}

/** Everything about an answer but its text, with the totals over its completions, whether or not they succeeded. */
function answerOf(
  { answers, answerable, evidence }: Session['queries'][number],
  sent: AnswerContext,
  prices: Prices,
  completions: readonly GivenCompletion[] = [],
) {
  const sum = (of: (given: GivenCompletion) => number) =>
    completions.reduce((total, given) => total + of(given), 0)
  return {
    references: answers,
    ...(evidence && { evidence }),
    answerable,
    gold: null,
    chunks: [],
    passages: sent.passages.map(passageText),
    sent: sent.tokens,
    written: '',
    text: '',
    refused: false,
    cited: [],
    wrong: 0,
    modelCalls: completions.length,
    inputTokens: sum(({ took }) => took.input),
    outputTokens: sum(({ took }) => took.output),
    dollars: sum(({ model, took }) => (prices[model] ? dollarsOfUsage(took, prices[model]) : Number.NaN)),
    estimated: completions.some(({ took }) => took.estimated),
    cut: sum(({ cut }) => Number(cut)),
  }
}
