import { performance } from 'node:perf_hooks'
import { UserError } from '../errors.ts'
import { askTrial, type QueryTrace, requireQuestion, weakMatch } from '../experiment/ask.ts'
import type { CompiledTrial } from '../experiment/plan/compile.ts'
import { type OpenExperiment, openOne } from '../experiment/plan/open.ts'
import { prepareAll } from '../experiment/plan/prepare.ts'
import { passageId } from '../labels/pool.ts'
import { literal, questionWords, wholeWords } from '../report/marks.tsx'
import { headingPath } from '../text/headings.ts'
import type { Chunk, Json, Progress } from '../types.ts'
import type { AskedPassage, AskedTrial, AskedTrials } from './asked-types.ts'

/** Passages of a trial in which ranks of others' passages are looked up. */
const LOOKED_UP = 100

/** Most trials that are shown side by side. */
export const MOST_TRIALS = 3

interface AskTrialsOptions {
  readonly depth: number
  /** Read by filters. */
  readonly metadata?: Readonly<Record<string, Json>>
}

export type AskTrials = (
  trials: readonly CompiledTrial[],
  question: string,
  options: AskTrialsOptions,
) => Promise<AskedTrials>

/**
 * Prepares each trial once, and again after a failure. A trial that fails has the reason in place of a ranking.
 * Throws a UserError for a question that is blank or too long, and for a trial named twice.
 */
export function openAskTrials(open: OpenExperiment, progress?: Progress): AskTrials {
  const prepared = new Map<CompiledTrial, string | null>()
  let last: Promise<unknown> = Promise.resolve()

  const prepare = async (trial: CompiledTrial) => {
    const single = openOne(open, trial)
    return (await attempt(() => prepareAll(single, progress))).failed
  }
  const warm = ({ store, artifacts }: OpenExperiment) =>
    Promise.all(artifacts.map((artifact) => store.open(artifact)))

  async function ask(
    trials: readonly CompiledTrial[],
    question: string,
    { depth, metadata }: AskTrialsOptions,
  ): Promise<AskedTrials> {
    // Preparing closes the store, so it comes first.
    for (const trial of trials) if (prepared.get(trial) !== null) prepared.set(trial, await prepare(trial))
    const traces: Attempt<QueryTrace>[] = []
    for (const trial of trials) {
      const failed = prepared.get(trial)
      const trace = async () => {
        await warm(openOne(open, trial))
        const clock = () => performance.now()
        return (await askTrial(open, trial, question, Math.max(depth, LOOKED_UP), clock, { metadata })).asked
      }
      traces.push(failed ? { failed } : await attempt(trace))
    }
    const id = open.dataset.queries.find(({ text }) => text === question)?.id ?? null
    return { question, id, ...sideBySide(trials, traces, questionWords(question), depth) }
  }

  return async (trials, question, options) => {
    requireQuestion(question)
    if (new Set(trials).size < trials.length || trials.length < 2 || trials.length > MOST_TRIALS)
      throw new UserError(`name 2 to ${MOST_TRIALS} different trials to compare`)
    const answer = last.then(() => ask(trials, question, options))
    last = answer.catch(() => {})
    return answer
  }
}

type Attempt<T> =
  | { readonly failed: null; readonly value: T }
  | { readonly failed: string; readonly value?: undefined }

async function attempt<T>(run: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { failed: null, value: await run() }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { failed: error.message }
  }
}

function sideBySide(
  trials: readonly CompiledTrial[],
  traces: readonly Attempt<QueryTrace>[],
  words: readonly string[],
  depth: number,
): Pick<AskedTrials, 'passages' | 'trials'> {
  const sources = traces.map(({ value }) => value?.sources ?? [])
  const ranks = sources.map(ranksOf)
  const best = new Map<string, { readonly chunk: Chunk; readonly rank: number }>()
  for (const { chunk, rank } of sources.flatMap((list) =>
    list.slice(0, depth).map(({ chunk }, at) => ({ chunk, rank: at + 1 })),
  ))
    if (!(rank >= (best.get(keyOf(chunk))?.rank ?? Infinity))) best.set(keyOf(chunk), { chunk, rank })
  const passages = [...best].sort(([, a], [, b]) => a.rank - b.rank)
  const places = new Map(passages.map(([key], place) => [key, place]))
  const first = traces.findIndex(({ value }) => value)
  return {
    passages: passages.map(([, { chunk }]) => passageOf(chunk, words)),
    trials: traces.map(({ failed, value }, at) =>
      value
        ? askedTrial(value, depth, places, at === first ? undefined : ranks[first])
        : failedTrial(trials[at].name, failed),
    ),
  }
}

const keyOf = ({ documentId, text }: Chunk) => passageId(documentId, text)

function ranksOf(sources: QueryTrace['sources']): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const [at, { chunk }] of sources.entries())
    if (!ranks.has(keyOf(chunk))) ranks.set(keyOf(chunk), at + 1)
  return ranks
}

function passageOf(chunk: Chunk, words: readonly string[]): AskedPassage {
  const { id, documentId: document, text, tokens } = chunk
  const title = headingPath(chunk)
  const isIn = (word: string) => wholeWords(literal(word)).test(`${title}\n${text}`)
  return { id, document, title, text, tokens, words: words.filter(isIn) }
}

function failedTrial(trial: string, failed: string): AskedTrial {
  return { trial, failed, milliseconds: 0, tokens: 0, steps: [], counters: {}, notes: [], hits: [] }
}

/** Texts of steps, arm, reasons of fallbacks and warnings, with their names. */
export function notesOf({ notes, arm, fallbacks, nearest }: QueryTrace): AskedTrial['notes'] {
  const weak = weakMatch(nearest)
  return [
    ...Object.entries(notes),
    ...(arm === null ? [] : [['arm', arm] as const]),
    ...fallbacks.map((reason) => ['fell back', reason] as const),
    ...(weak === null ? [] : [['warning', weak] as const]),
  ]
}

function askedTrial(
  trace: QueryTrace,
  depth: number,
  passages: ReadonlyMap<string, number>,
  first: ReadonlyMap<string, number> | undefined,
): AskedTrial {
  const { trial, milliseconds, steps, sources, counters } = trace
  const shown = sources.slice(0, depth)
  return {
    trial,
    failed: null,
    milliseconds,
    tokens: shown.reduce((sum, { chunk }) => sum + chunk.tokens, 0),
    steps,
    counters,
    notes: notesOf(trace),
    hits: shown.map(({ chunk, score, mark, ranked }) => ({
      passage: passages.get(keyOf(chunk)) as number,
      score,
      mark,
      ...(first && { first: first.get(keyOf(chunk)) ?? null }),
      ranked: ranked.map(({ step, rank, score }) => ({ step, rank, score })),
    })),
  }
}
