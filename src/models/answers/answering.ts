import { UserError } from '../../errors.ts'
import type { CallOptions, ChatModel, ChatParams, Message, OnText } from '../chat/chat-model.ts'
import { quoted } from '../vector-problem.ts'
import { type AtMost, dollarsAtMost, dollarsOf, type TokenPrice, takenBy } from './cost.ts'
import { type Answered, answered, keyOfQuestion, type Question } from './question.ts'
import type { AnswerStore } from './store.ts'

/** A model whose answers are kept: what steps ask. Whatever was answered once is never asked again. */
export interface AnsweringModel {
  /** What the config calls it. */
  readonly name: string
  /** `onText` as of a ChatModel's call; of two that ask the same at once only the first one's is called. */
  ask(asking: Asking, signal?: AbortSignal, onText?: OnText): Promise<Answered>
  /** The answer that is kept; undefined where there is none yet. Throws where the answers are a recording, which would not grow. */
  kept(asking: Asking): Answered | undefined
  /** Asked where this one refuses. */
  readonly fallback?: AnsweringModel
  /** Requests under way at once that make sense. */
  readonly concurrency: number
  /** Takes a request that failed for asked. It is kept only by `keepFailures`, so that others may fail with it first. */
  fail(asking: Asking, reason: string): Answered
  /** Keeps the requests that failed: they are not made again. */
  keepFailures(): void
  /** Dollars; null where there is no price. */
  cost(answered: Answered): number | null
  /** What asking it would take at most, with the key that the answer will have; it is not asked for that. */
  foresee(asking: Asking): Foreseen
  /** Throws a UserError where it cannot be asked, as without its key. */
  requireKey(): void
}

/** What a step asks; the model is part of the question too. */
export type Asking = Omit<Question, 'model'>

/** One call that was not made yet. */
export interface Foreseen extends AtMost {
  readonly key: string
  /** Null where there is no price, or nothing limits the answer. */
  readonly dollars: number | null
}

export interface AnsweringOptions {
  readonly name: string
  readonly identity: Question['model']
  readonly params: ChatParams
  /** Where answers are kept, or the recording that is replayed. */
  readonly answers: AnswerStore | { readonly file: string; readonly held: ReadonlyMap<string, Answered> }
  /** Called for the first question that has no answer yet. */
  readonly open: () => ChatModel
  readonly fallback?: AnsweringModel
  readonly concurrency: number
  readonly price: TokenPrice | null
  /** What a call may take. */
  readonly atMost: (asking: Asking) => AtMost
}

export function answeringModel(options: AnsweringOptions): AnsweringModel {
  const { name, identity, params, answers, fallback } = options
  let opened: ChatModel | undefined
  const open = () => {
    opened ??= options.open()
    return opened
  }
  /** Failed requests that are not kept yet. */
  const failures = new Map<string, Answered>()
  const underWay = new Map<string, Promise<Answered>>()
  const questionOf = (asking: Asking): Question => ({ model: identity, ...asking })

  function kept(asking: Asking): Answered | undefined {
    const key = keyOfQuestion(questionOf(asking))
    if ('get' in answers) return failures.get(key) ?? answers.get(key)
    const found = answers.held.get(key)
    if (!found)
      throw new UserError({
        file: answers.file,
        message: `holds no answer of the model \`${name}\` to ${inWords(asking)} (${key}); record it again, or ask the model by leaving out \`answers\``,
      })
    return found
  }

  async function fetchAnswer(asking: Asking, call: CallOptions): Promise<Answered> {
    const { messages, schema } = asking
    const sent = schema === undefined ? params : { ...params, schema: schema as ChatParams['schema'] }
    const answer = await open().complete(messages, sent, call)
    return (answers as AnswerStore).put(answered(questionOf(asking), answer))
  }

  return {
    name,
    fallback,
    concurrency: options.concurrency,
    kept,
    fail(asking, reason) {
      const answer = { text: '', model: name, finish: 'failed', usage: null, failure: reason } as const
      const one = answered(questionOf(asking), answer)
      failures.set(one.key, one)
      return one
    },
    keepFailures() {
      for (const one of failures.values()) (answers as AnswerStore).put(one)
      failures.clear()
    },
    cost(one) {
      if (!options.price) return null
      if (one.answer.finish === 'failed') return 0
      const took = takenBy(one)
      // Searches that a reranker's server does not count are estimated too.
      const searches = took.searches ?? (options.price.searches ? options.atMost(one.question).searches : 0)
      return dollarsOf({ ...took, searches }, options.price)
    },
    foresee(asking) {
      const most = options.atMost(asking)
      return { ...most, key: keyOfQuestion(questionOf(asking)), dollars: dollarsAtMost(most, options.price) }
    },
    requireKey: () => void open(),
    async ask(asking, signal, onText) {
      const known = kept(asking)
      if (known) return known
      const key = keyOfQuestion(questionOf(asking))
      const waiting = underWay.get(key)
      if (waiting) return waiting
      const asked = fetchAnswer(asking, { signal, onText }).finally(() => underWay.delete(key))
      underWay.set(key, asked)
      return asked
    },
  }
}

/** Asks a model and, where that refuses, its fallback: every answer that was given, the last one counts. */
export async function askInTurn(
  model: AnsweringModel,
  asking: Asking,
  signal?: AbortSignal,
): Promise<readonly { readonly model: AnsweringModel; readonly answered: Answered }[]> {
  const own = { model, answered: await model.ask(asking, signal) }
  if (own.answered.answer.finish !== 'refusal' || !model.fallback) return [own]
  return [own, ...(await askInTurn(model.fallback, asking, signal))]
}

/** The end of the last message: what is particular to a question mostly stands there. */
function inWords({ messages, repeat }: Asking): string {
  const last: Message | undefined = messages.at(-1)
  const text = last?.content.trim() ?? ''
  const again = repeat > 0 ? `, repeat ${repeat}` : ''
  return `${quoted(text.length > 60 ? `...${text.slice(-57)}` : text)}${again}`
}
