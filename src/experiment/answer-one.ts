import { answerers } from '../answer/answerers/index.ts'
import { citationsOf, isRefusal, suggestionOf } from '../answer/citations.ts'
import { assembleContext, contextParamsOf, userParams } from '../answer/context.ts'
import { contextCorpus } from '../answer/steps.ts'
import type { NamedChoice } from '../config/experiment.ts'
import { chatModel } from '../corpus/chat-model.ts'
import { UserError } from '../errors.ts'
import type { OnText } from '../models/chat/chat-model.ts'
import { BadCompletion } from '../models/chat/json.ts'
import {
  type CachedModel,
  type CompletionRequest,
  handedOn,
  observe,
} from '../models/completions/cached-model.ts'
import { withChats } from '../models/completions/chat.ts'
import { takenBy } from '../models/completions/cost.ts'
import type { StoredCompletion } from '../models/completions/request.ts'
import { resolve } from '../registry.ts'
import { didYouMean } from '../text/nearest.ts'
import type { QueryTraceWithRanking } from './ask.ts'
import type { CompiledTrial } from './plan/compile.ts'
import type { OpenExperiment } from './plan/open.ts'

export interface AnswerToQuestion {
  readonly answerer: string
  readonly text: string
  readonly refused: boolean
  readonly suggestion: string | null
  /** Numbers of passages, from 1; `wrong` are no passages. */
  readonly cited: readonly number[]
  readonly wrong: readonly number[]
  readonly passages: readonly {
    readonly heading: string
    readonly text: string
    readonly chunks: readonly string[]
  }[]
  /** o200k tokens. */
  readonly sent: number
  readonly models: readonly string[]
  readonly fellBack: string | null
  /** True if every completion was stored: nothing was paid. */
  readonly kept: boolean
  /** True if a server did not count the tokens. */
  readonly estimated: boolean
  readonly inputTokens: number
  readonly outputTokens: number
  /** For new completions; null without a price. */
  readonly dollars: number | null
  readonly milliseconds: number
}

/** Progress of an answer, in this order. */
export type AnswerEvent =
  | { readonly event: 'search' }
  | { readonly event: 'context'; readonly passages: number; readonly tokens: number }
  /**
   * `text`: all text so far. `anew` says why it does not continue the previous text: a stream broke off or another model
   * serves, or the text turned out to be reasoning.
   */
  | { readonly event: 'text'; readonly text: string; readonly anew?: 'broken' | 'reasoning' }
  | { readonly event: 'complete'; readonly answer: AnswerToQuestion }

interface AnswerOneOptions {
  readonly clock: () => number
  readonly signal?: AbortSignal
  readonly userContext?: string
  /** Receives every event but `search`. */
  readonly onEvent?: (event: AnswerEvent) => void
}

/** Finds an answerer by name; without a name there must be only one. Throws a UserError. */
export function findAnswerer(answering: readonly NamedChoice[], name: string | undefined): NamedChoice {
  if (answering.length === 0)
    throw new UserError('the config has no `answer`; add one, as `answer: extractive`')
  const names = answering.map((answerer) => answerer.name)
  const matches =
    name === undefined
      ? answering
      : answering.filter((answerer) => answerer.name === name || answerer.choice.name === name)
  if (matches.length === 1) return matches[0]
  if (matches.length === 0)
    throw new UserError(
      `there is no answerer \`${name}\`${didYouMean(String(name), names)}; \`answer\` has ${names.join(', ')}`,
    )
  throw new UserError(`name one answerer: ${matches.map((answerer) => answerer.name).join(', ')}`)
}

export async function answerOne(
  { experiment, store }: OpenExperiment,
  trial: CompiledTrial,
  answerer: NamedChoice,
  question: string,
  { asked, ranking }: QueryTraceWithRanking,
  options: AnswerOneOptions,
): Promise<AnswerToQuestion> {
  const { clock, onEvent, userContext } = options
  const { definition, params: answererParams } = resolve(answerers, answerer.choice)
  if (userContext !== undefined && !('userContext' in definition.params.shape))
    throw new UserError(`the answerer ${answerer.name} takes no \`userContext\``)
  if (!userParams.userContext.safeParse(userContext).success)
    throw new UserError('`userContext` must be a text of 1 to 10,000 characters')
  const params = userContext === undefined ? answererParams : { ...answererParams, userContext }
  const corpus = await store.open(contextCorpus(trial.ranking.recipe))
  const source = definition.make(params)
  const sent = source.closedBook
    ? (source.context?.(question) ?? { passages: [], tokens: 0 })
    : assembleContext(ranking.rows, asked.evidence, corpus, contextParamsOf(params, experiment.context.top))
  onEvent?.({ event: 'context', passages: sent.passages.length, tokens: sent.tokens })
  const { model, mapModel } = params
  const { usage, watch } = watched(options)
  const started = clock()
  const text = await written()
  const answer: AnswerToQuestion = {
    answerer: answerer.name,
    text,
    refused: isRefusal(text),
    ...citationsOf(text, sent.passages.length),
    suggestion: suggestionOf(text),
    passages: sent.passages.map(({ heading, text, rows }) => ({
      heading,
      text,
      chunks: rows.map((row) => corpus.chunks[row].id),
    })),
    sent: sent.tokens,
    ...usage,
    kept: usage.kept ?? false,
    milliseconds: clock() - started,
  }
  onEvent?.({ event: 'complete', answer })
  return answer

  async function written(): Promise<string> {
    if (typeof model !== 'string') {
      const answer = await source.answer(question, sent)
      onEvent?.({ event: 'text', text: answer })
      return answer
    }
    const open = async (name: unknown) =>
      typeof name === 'string' ? watch(await store.open(chatModel(trial.ranking.recipe, name))) : undefined
    const opened = [await open(model), await open(mapModel)]
    try {
      return (await withChats(opened, (...chats) => source.answer(question, sent, ...chats))).value
    } catch (error) {
      if (!(error instanceof BadCompletion)) throw error
      throw new UserError(`${answerer.name}: ${error.message}`)
    }
  }
}

/** Models that report their text as it grows, and what they used. */
function watched({ signal, onEvent }: AnswerOneOptions) {
  const usage = {
    models: [] as string[],
    fellBack: null as string | null,
    kept: undefined as boolean | undefined,
    estimated: false,
    inputTokens: 0,
    outputTokens: 0,
    dollars: 0 as number | null,
  }
  const seen = new WeakSet<StoredCompletion>()
  let writer: string | undefined
  const onTextOf = ({ name }: CachedModel, { schema }: CompletionRequest): OnText | undefined => {
    if (schema !== undefined || !onEvent) return undefined
    return (text, anew = writer === undefined || writer === name ? undefined : 'broken') => {
      onEvent({ event: 'text', text, ...(anew && { anew }) })
      writer = name
    }
  }
  const watch = (model: CachedModel) =>
    observe(model, {
      before(model, request) {
        const stored = model.stored(request)
        if (!stored) return undefined
        seen.add(stored)
        if (stored.completion.text !== '') onTextOf(model, request)?.(stored.completion.text)
        return stored
      },
      send: (model, request) => model.ask(request, signal, onTextOf(model, request)),
      after(completion, model) {
        const { input, output, estimated } = takenBy(completion)
        const { finish, model: name } = completion.completion
        if (finish !== 'failed' && !usage.models.includes(name)) usage.models.push(name)
        usage.fellBack ??= handedOn(model, completion) ?? null
        usage.estimated ||= estimated
        usage.inputTokens += input
        usage.outputTokens += output
        usage.kept = seen.has(completion) && usage.kept !== false
        if (seen.has(completion)) return
        const dollars = model.cost(completion)
        usage.dollars = usage.dollars === null || dollars === null ? null : usage.dollars + dollars
      },
    })
  return { usage, watch }
}
