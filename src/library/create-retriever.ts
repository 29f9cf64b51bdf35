import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import { textUnits } from '../corpus/corpus.ts'
import { localModelOf } from '../corpus/dense/embeddings.ts'
import { UserError } from '../errors.ts'
import { type AnswerEvent, type AnswerToQuestion, answerOne, findAnswerer } from '../experiment/answer-one.ts'
import { askTrial, type QueryTraceWithRanking, requireQuestion } from '../experiment/ask.ts'
import { artifactsOf } from '../experiment/plan/compile.ts'
import { openOne } from '../experiment/plan/open.ts'
import { prepareAll } from '../experiment/plan/prepare.ts'
import { logQuery } from '../experiment/query-log.ts'
import { strategies } from '../retrieve/strategies/index.ts'
import type { Json, Progress } from '../types.ts'
import { findTrial, openConfig } from './open-config.ts'

export interface CreateRetrieverOptions {
  /** Dataset or folder of .md and .txt files to search. The config's dataset by default; required with a strategy name. */
  readonly corpus?: string
  /** Trial by name, short name or strategy; the first by default. */
  readonly trial?: string
  /** Folder of prepared tables and indexes; `.touchstone` in the config's folder, or in the working folder, by default. */
  readonly store?: string
  /** Config keys with other values, `KEY=VALUE` each. */
  readonly set?: readonly string[]
  /** Folder of logs that every question is appended to (docs/answers.md); none by default. */
  readonly log?: string
  /** Cache of results by question; none by default. */
  readonly cache?: CacheOptions
  readonly progress?: Progress
}

export interface CacheOptions {
  /** Number of questions at most; the least recently used is evicted first. */
  readonly size: number
  /** Seconds until a result expires. */
  readonly seconds: number
}

export interface Retriever {
  /** Name of the trial. */
  readonly trial: string
  /**
   * First `k` chunks (5 by default) for a question, best first. Throws a UserError if a step fails, the question is blank or has
   * more than 10,000 characters, or `k` is not a whole number from 1.
   */
  retrieve(question: string, options?: RetrieveOptions): Promise<readonly RetrievedChunk[]>
  /**
   * Answer to a question from the retrieved chunks, by an answerer of the config's `answer`. `onEvent` receives its progress and
   * the text while it is written. Completions are stored and not requested again. Throws a UserError if there is no answer.
   */
  answer(question: string, options?: AnswerOptions): Promise<AnswerToQuestion>
  /** Number of questions so far, and of those whose result was in the cache. */
  readonly cacheUse: { readonly questions: number; readonly hits: number }
  /** Closes models and other systems' processes. */
  close(): Promise<void>
}

export interface RetrieveOptions {
  /** Number of chunks at most; 5 by default. */
  readonly k?: number
  /** Metadata of the question, which a filter of the trial reads; those of the dataset's question by default. */
  readonly metadata?: Readonly<Record<string, Json>>
}

export interface AnswerOptions {
  /** Name of the answerer; optional if `answer` has only one. */
  readonly answerer?: string
  /** Metadata of the question, as in `retrieve`. */
  readonly metadata?: Readonly<Record<string, Json>>
  /** Description of the asker, in place of the answerer's `userContext`. */
  readonly userContext?: string
  /** Receives `search`, `context`, `text` whenever the text grows, and `complete`. */
  readonly onEvent?: (event: AnswerEvent) => void
  readonly signal?: AbortSignal
}

/** Chunks that are logged for an answered question. */
const LOGGED = 5

export interface RetrievedChunk {
  readonly id: string
  readonly document: string
  readonly title: string
  /** Headings above the chunk, outermost first. */
  readonly section: readonly string[]
  readonly text: string
  /** Higher is better; comparable within one result only. */
  readonly score: number
  /** Metadata of the document. */
  readonly metadata: Readonly<Record<string, Json>>
}

/**
 * Creates a retriever: one trial of a config (`'mine.yaml'`), or a strategy with its defaults (`'hybrid'`) over `corpus`.
 * Prepares missing artifacts, opens all and loads a local embedder's model, then serves any questions. Throws a UserError with
 * every diagnostic of config and data.
 */
export async function createRetriever(
  configOrStrategy: string,
  { corpus, trial: name, store, set = [], log, cache, progress }: CreateRetrieverOptions = {},
): Promise<Retriever> {
  const place = { folder: process.cwd(), env: process.env, progress }
  const isStrategy = strategies.names.includes(configOrStrategy)
  if (isStrategy && corpus === undefined)
    throw new UserError(
      `\`${configOrStrategy}\` is a strategy: say what it searches, as {corpus: 'my-notes'}, or name a config`,
    )
  const open = await openConfig(place, configOrStrategy, {
    store,
    set: [...(corpus === undefined ? [] : [`dataset=${JSON.stringify(corpus)}`]), ...set],
    ...(isStrategy && { text: `trials: [${configOrStrategy}]` }),
  })
  const trial = name === undefined ? open.trials[0] : findTrial(name, open.trials)
  const clock = () => performance.now()
  await prepareAll(openOne(open, trial), progress)
  const used = [textUnits(trial.ranking.recipe), ...artifactsOf([trial])]
  const read = [...used, ...used.flatMap((artifact) => localModelOf(artifact) ?? [])]
  await Promise.all(read.map((artifact) => open.store.open(artifact)))
  const cached = cache && new LRUCache<string, Promise<QueryTraceWithRanking>>(limitsOf(cache))
  const cacheUse = { questions: 0, hits: 0 }
  /** Failures are not cached. */
  function result(question: string, depth: number, metadata: RetrieveOptions['metadata']) {
    requireQuestion(question)
    const key = JSON.stringify([question, depth, metadata])
    const cachedTrace = cached?.get(key)
    cacheUse.questions++
    if (cachedTrace) cacheUse.hits++
    if (cachedTrace) return cachedTrace
    const asking = askTrial(open, trial, question, depth, clock, { metadata })
    cached?.set(key, asking)
    asking.catch(() => cached?.delete(key))
    return asking
  }
  /** Result for a question, and a function that logs it. */
  async function ask(question: string, depth: number, metadata: RetrieveOptions['metadata']) {
    const begin = clock()
    const trace = await result(question, depth, metadata)
    const retrieval = clock() - begin
    const chunks = trace.asked.sources.map(({ chunk }) => chunk)
    const note = (answer: AnswerToQuestion | null) => {
      const logged = { trial: trial.name, question, metadata, chunks, retrieval, answer }
      if (log !== undefined) logQuery(resolve(log), logged, open.dataset, new Date())
    }
    return { found: trace, note }
  }
  return {
    trial: trial.name,
    async retrieve(question, { k = 5, metadata } = {}) {
      if (!(Number.isSafeInteger(k) && k > 0))
        throw new UserError(`\`k\` is a whole number of chunks, at least 1, not ${k}`)
      const { found, note } = await ask(question, k, metadata)
      note(null)
      return found.asked.sources.map(
        ({ chunk: { id, documentId, title, section, text, metadata }, score }) => ({
          id,
          document: documentId,
          title,
          section,
          text,
          score,
          metadata,
        }),
      )
    },
    async answer(question, { answerer, metadata, ...options } = {}) {
      const way = findAnswerer(open.experiment.answering, answerer)
      requireQuestion(question)
      options.onEvent?.({ event: 'search' })
      const { found, note } = await ask(question, LOGGED, metadata)
      const answer = await answerOne(open, trial, way, question, found, { clock, ...options })
      note(answer)
      return answer
    },
    cacheUse,
    close: () => open.store.close(),
  }
}

function limitsOf({ size, seconds }: CacheOptions) {
  if (!(Number.isSafeInteger(size) && size > 0))
    throw new UserError(`\`cache.size\` is a whole number of questions, at least 1, not ${size}`)
  if (!(seconds > 0)) throw new UserError(`\`cache.seconds\` is a number above 0, not ${seconds}`)
  // For this package, 0 is a life without end.
  return { max: size, ttl: seconds === Number.POSITIVE_INFINITY ? 0 : Math.ceil(1000 * seconds) }
}
