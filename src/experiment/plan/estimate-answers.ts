import { answerers } from '../../answer/answerers/index.ts'
import { contextParamsOf, filler, type LongestPrompt } from '../../answer/define.ts'
import { chatModel } from '../../corpus/chat-model.ts'
import { chunkSpans } from '../../corpus/corpus.ts'
import type { CachedModel, CompletionRequest } from '../../models/completions/cached-model.ts'
import { resolve } from '../../registry.ts'
import { countTokens } from '../../text/tokens.ts'
import { plus, possibleCalls } from './forecast.ts'
import type { OpenExperiment } from './open.ts'
import { MAX_FINALISTS } from './plan.ts'
import { dollarText } from './spending.ts'

/** Upper bounds of calls, without a stored completion. */
export interface CallsEstimate {
  readonly calls: number
  /** Estimated. */
  readonly inputTokens: number
  /** Null where nothing limits an answer. */
  readonly outputTokens: number | null
  /** Null where a price or a limit is missing. */
  readonly dollars: number | null
}

/** Upper bounds of the calls of one answerer of `answer`. */
export interface AnswersEstimate extends CallsEstimate {
  readonly answerer: string
  /** Number of trials whose contexts are read; 1 for a closed-book answerer. */
  readonly contexts: number
}

/** Tokens of the marks around a passage, and of the headings before a chunk's title. */
const AROUND = 40
/** Tokens of the marks around a passage alone, by its number: `maxTokens` counts the headings. */
const MARKS = 12
/** Typical minimum of tokens in a piece of evidence. */
const PIECE = 20

/**
 * Bounds the calls for all answers. Finalists and their rankings are known after the run only, so every call counts
 * with the longest query and the longest possible context.
 */
export async function estimateAnswers(open: OpenExperiment): Promise<AnswersEstimate[]> {
  const { experiment, dataset, trials, recipes, store } = open
  const { answering } = experiment
  const answererChoices = answering.map((choice) => ({ choice, ...resolve(answerers, choice.choice) }))
  if (experiment.recording !== null || answererChoices.every(({ definition }) => !definition.asks)) return []
  const question = longestQuestion(open)
  const contexts = Math.min(MAX_FINALISTS, trials.length)
  const found: AnswersEstimate[] = []
  for (const { choice, definition, params } of answererChoices) {
    if (!definition.asks) continue
    const opened = async (name: unknown) => store.open(chatModel(recipes[0], String(name)))
    const model = await opened(params.model)
    const mapModel = params.mapModel === undefined ? model : await opened(params.mapModel)
    const { tokens, passages } = definition.closedBook
      ? { tokens: 0, passages: 0 }
      : await longestContext(open, params)
    const longest = { question, context: filler(tokens), passages }
    const rows = definition.closedBook ? 1 : contexts
    const prompts = definition.asks(longest, params)
    const estimate = (asked: CachedModel, map?: true) =>
      estimateCalls(
        asked,
        prompts.filter((prompt) => prompt.map === map),
        rows * dataset.queries.length,
      )
    const [mapped, last] = [estimate(mapModel, true), estimate(model)]
    found.push({
      ...{ answerer: choice.name, contexts: rows, calls: mapped.calls + last.calls },
      inputTokens: mapped.inputTokens + last.inputTokens,
      outputTokens: plus(mapped.outputTokens, last.outputTokens),
      dollars: plus(mapped.dollars, last.dollars),
    })
  }
  return found
}

/** Bounds of prompts, each used `times` as often as its `calls`. */
export function estimateCalls(
  model: CachedModel,
  prompts: readonly LongestPrompt[],
  times: number,
): CallsEstimate {
  const sum = { calls: 0, inputTokens: 0, outputTokens: 0 as number | null, dollars: 0 as number | null }
  for (const { prompt, calls, json } of prompts) {
    const one: CompletionRequest = {
      ...{ prompt: '', messages: [{ role: 'user', content: prompt }], repeat: 0 },
      ...(json && { schema: {} }),
    }
    const all = times * calls
    for (const { input, output, dollars } of possibleCalls(model, one).flatMap((by) => by.calls)) {
      sum.calls += all
      sum.inputTokens += all * input
      sum.outputTokens = plus(sum.outputTokens, output === null ? null : all * output)
      sum.dollars = plus(sum.dollars, dollars === null ? null : all * dollars)
    }
  }
  return sum
}

/** Maximum size of an answerer's context: tokens, including the marks around passages, and passages. */
export async function longestContext(
  open: OpenExperiment,
  params: Readonly<Record<string, unknown>>,
): Promise<{ readonly tokens: number; readonly passages: number }> {
  const most = contextParamsOf(params, open.experiment.context.top)
  const besides = open.trials.some((trial) => trial.evidence)
  if (most.context === 'documents' || besides) {
    // Every piece takes its part of `maxTokens`, also where there are many small ones.
    const passages = besides ? Math.max(most.top, Math.ceil(most.maxTokens / PIECE)) : most.top
    return { tokens: most.maxTokens + MARKS * passages, passages }
  }
  const tokens = Math.min(most.maxTokens, most.top * (await longestChunk(open)))
  return { tokens: tokens + AROUND * most.top, passages: most.top }
}

/** Text of the query with the most tokens. */
export function longestQuestion({ dataset }: OpenExperiment): string {
  const [{ text } = { text: '' }] = dataset.queries
    .map(({ text }) => ({ text, tokens: countTokens(text) }))
    .sort((a, b) => b.tokens - a.tokens)
  return text
}

/** Tokens of the longest chunk; no bound where none is made yet. */
async function longestChunk({ recipes, store }: OpenExperiment): Promise<number> {
  let most = 0
  for (const recipe of recipes) {
    const spans = chunkSpans(recipe)
    if (store.missing([spans]).length > 0) return Number.POSITIVE_INFINITY
    for (const { tokens } of await store.open(spans)) most = Math.max(most, tokens)
  }
  return most
}

/** One line an answerer. */
export function answerLines(estimates: readonly AnswersEstimate[]): string[] {
  return estimates.map(({ answerer, contexts, ...calls }) =>
    callsLine(`to answer: ${answerer}`, calls, contexts === 1 ? '' : ` for ${contexts} finalists`),
  )
}

/** Formats the bounds: calls, tokens and dollars. */
export function callsLine(
  what: string,
  { calls, inputTokens, outputTokens, dollars }: CallsEstimate,
  of: string,
): string {
  const number = (value: number) => value.toLocaleString('en')
  const written =
    outputTokens === null ? 'no limit to output (`maxTokens`)' : `${number(outputTokens)} written`
  const cost = dollars === null ? 'no bound in dollars' : `about ${dollarText(dollars)}`
  return `${what}: at most ${number(calls)} calls${of}, about ${number(inputTokens)} tokens read (estimated), ${written}, ${cost}, less stored completions`
}
