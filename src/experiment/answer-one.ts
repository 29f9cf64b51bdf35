import { answerers } from '../answer/answerers/index.ts'
import { citationsOf, isRefusal, suggestionOf } from '../answer/citations.ts'
import { assembleContext } from '../answer/context.ts'
import { contextParamsOf } from '../answer/define.ts'
import type { Answering } from '../config/experiment.ts'
import { chatModel } from '../corpus/chat-model.ts'
import { UserError } from '../errors.ts'
import type { OnText } from '../models/chat/chat-model.ts'
import { BadCompletion } from '../models/chat/json.ts'
import { withReasoningApart } from '../models/chat/reasoning.ts'
import type { CachedModel } from '../models/completions/cached-model.ts'
import { withChat } from '../models/completions/chat.ts'
import { takenBy } from '../models/completions/cost.ts'
import type { StoredCompletion } from '../models/completions/request.ts'
import { resolve } from '../registry.ts'
import { didYouMean } from '../text/nearest.ts'
import type { QueryTraceWithRanking } from './ask.ts'
import { contextCorpus } from './context-corpus.ts'
import type { CompiledTrial } from './plan/compile.ts'
import type { OpenExperiment } from './plan/open.ts'

/** An answer to one question, and what it took. */
export interface AnswerToQuestion {
  readonly answerer: string
  /** As it was written, with citations. */
  readonly text: string
  /** Whether it says that there is no answer. */
  readonly refused: boolean
  /** The question that a refusal suggests in place of this one; null where there is none. */
  readonly suggestion: string | null
  /** Numbers of the passages that it cites, from 1; those that are no passage apart. */
  readonly cited: readonly number[]
  readonly wrong: readonly number[]
  /** What was sent, passage 1 first. */
  readonly passages: readonly {
    readonly heading: string
    readonly text: string
    readonly chunks: readonly string[]
  }[]
  /** o200k tokens of what was sent. */
  readonly sent: number
  /** Who answered; empty where no model was asked. */
  readonly models: readonly string[]
  /** Whether all that models said was kept from before: then nothing was asked, or paid. */
  readonly kept: boolean
  /** True if tokens are estimated, as a server did not count them. */
  readonly estimated: boolean
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of what was asked now; null where a price is not known. */
  readonly dollars: number | null
  readonly milliseconds: number
}

interface AnswerOneOptions {
  readonly clock: () => number
  readonly signal?: AbortSignal
  /** Hears the text so far whenever it grew, and once the whole of one that is kept. */
  readonly onText?: OnText
}

/** The answerer of that name; the only one where no name is said. Throws a UserError where there is none. */
export function findAnswerer(answering: readonly Answering[], name: string | undefined): Answering {
  if (answering.length === 0)
    throw new UserError('the config has no `answer`; add one, as `answer: extractive`')
  const names = answering.map((way) => way.name)
  const found =
    name === undefined ? answering : answering.filter((way) => way.name === name || way.choice.name === name)
  if (found.length === 1) return found[0]
  if (found.length === 0)
    throw new UserError(
      `there is no answerer \`${name}\`${didYouMean(String(name), names)}; \`answer\` has ${names.join(', ')}`,
    )
  throw new UserError(`name one answerer: ${found.map((way) => way.name).join(', ')}`)
}

/** Answers a question from what a trial found. Throws a UserError where the model gives no answer. */
export async function answerOne(
  { experiment, store }: OpenExperiment,
  trial: CompiledTrial,
  way: Answering,
  question: string,
  { asked, ranking }: QueryTraceWithRanking,
  { clock, signal, onText }: AnswerOneOptions,
): Promise<AnswerToQuestion> {
  const { definition, params } = resolve(answerers, way.choice)
  const corpus = await contextCorpus(store, trial)
  const sent = definition.closedBook
    ? { passages: [], tokens: 0 }
    : assembleContext(ranking.rows, asked.evidence, corpus, contextParamsOf(params, experiment.context.top))
  const { model } = params
  const taken: Taken[] = []
  const started = clock()
  const text = await written()
  const { cited, wrong } = citationsOf(text, sent.passages.length)
  const sum = (of: 'input' | 'output') =>
    taken.reduce((total, { answered }) => total + takenBy(answered)[of], 0)
  return {
    ...{ answerer: way.name, text, refused: isRefusal(text), cited, wrong },
    suggestion: suggestionOf(text),
    passages: sent.passages.map(({ heading, text, rows }) => ({
      ...{ heading, text, chunks: rows.map((row) => corpus.chunks[row].id) },
    })),
    ...{ sent: sent.tokens, models: [...new Set(taken.map(({ answered }) => answered.completion.model))] },
    kept: taken.length > 0 && taken.every(({ kept }) => kept),
    estimated: taken.some(({ answered }) => takenBy(answered).estimated),
    ...{ inputTokens: sum('input'), outputTokens: sum('output') },
    dollars: taken.reduce<number | null>(
      (total, { kept, dollars }) =>
        total === null || kept ? total : dollars === null ? null : total + dollars,
      0,
    ),
    milliseconds: clock() - started,
  }

  async function written(): Promise<string> {
    if (typeof model !== 'string') {
      const given = await definition.answer(question, sent, params)
      onText?.(given)
      return given
    }
    const opened = await store.open(chatModel(trial.ranking.recipe, model))
    const heard = watched(opened, taken, { signal, onText })
    try {
      return (await withChat(heard, (chat) => definition.answer(question, sent, params, chat))).value
    } catch (error) {
      if (!(error instanceof BadCompletion)) throw error
      throw new UserError(`${way.name}: ${error.message}`)
    }
  }
}

interface Taken {
  readonly answered: StoredCompletion
  readonly kept: boolean
  readonly dollars: number | null
}

/** The model, whose text answers are heard as they grow, and all of whose answers are noted. */
function watched(
  model: CachedModel,
  taken: Taken[],
  { signal, onText }: Pick<AnswerOneOptions, 'signal' | 'onText'>,
): CachedModel {
  return {
    ...model,
    fallback: model.fallback && watched(model.fallback, taken, { signal, onText }),
    async ask(asking) {
      const hears = asking.schema === undefined ? onText : undefined
      const known = model.stored(asking)
      const answered = known ?? (await model.ask(asking, signal, hears))
      if (known) hears?.(withReasoningApart(known.completion).text)
      taken.push({ answered, kept: known !== undefined, dollars: model.cost(answered) })
      return answered
    },
  }
}
