import { UserError } from '../../errors.ts'
import type { CallOptions, ChatModel, ChatParams, Message, OnText } from '../chat/chat-model.ts'
import { quoted } from '../vector-problem.ts'
import { type AtMost, dollarsAtMost, dollarsOfUsage, type TokenPrice, takenBy } from './cost.ts'
import { type StoredCompletion, storedCompletion, keyOfRequest, type KeyedRequest } from './question.ts'
import type { CompletionStore } from './store.ts'

/** A model whose answers are kept: what steps ask. Whatever was answered once is never asked again. */
export interface CachedModel {
  /** What the config calls it. */
  readonly name: string
  /** `onText` as of a ChatModel's call; of two that ask the same at once only the first one's is called. */
  ask(asking: CompletionRequest, signal?: AbortSignal, onText?: OnText): Promise<StoredCompletion>
  /** The answer that is kept; undefined where there is none yet. Throws where the answers are a recording, which would not grow. */
  stored(asking: CompletionRequest): StoredCompletion | undefined
  /** Asked where this one refuses. */
  readonly fallback?: CachedModel
  /** Requests under way at once that make sense. */
  readonly concurrency: number
  /** Takes a request that failed for asked. It is kept only by `keepFailures`, so that others may fail with it first. */
  fail(asking: CompletionRequest, reason: string): StoredCompletion
  /** Keeps the requests that failed: they are not made again. */
  keepFailures(): void
  /** Dollars; null where there is no price. */
  cost(answered: StoredCompletion): number | null
  /** What asking it would take at most, with the key that the answer will have; it is not asked for that. */
  estimate(asking: CompletionRequest): CallEstimate
  /** Throws a UserError where it cannot be asked, as without its key. */
  requireKey(): void
}

/** What a step asks; the model is part of the question too. */
export type CompletionRequest = Omit<KeyedRequest, 'model'>

/** One call that was not made yet. */
export interface CallEstimate extends AtMost {
  readonly key: string
  /** Null where there is no price, or nothing limits the answer. */
  readonly dollars: number | null
}

export interface CachedModelOptions {
  readonly name: string
  readonly identity: KeyedRequest['model']
  readonly params: ChatParams
  /** Where answers are kept, or the recording that is replayed. */
  readonly completions: CompletionStore | { readonly file: string; readonly held: ReadonlyMap<string, StoredCompletion> }
  /** Called for the first question that has no answer yet. */
  readonly open: () => ChatModel
  readonly fallback?: CachedModel
  readonly concurrency: number
  readonly price: TokenPrice | null
  /** What a call may take. */
  readonly atMost: (asking: CompletionRequest) => AtMost
}

export function cachedModel(options: CachedModelOptions): CachedModel {
  const { name, identity, params, completions: answers, fallback } = options
  let opened: ChatModel | undefined
  const open = () => {
    opened ??= options.open()
    return opened
  }
  /** Failed requests that are not kept yet. */
  const failures = new Map<string, StoredCompletion>()
  const underWay = new Map<string, Promise<StoredCompletion>>()
  const questionOf = (asking: CompletionRequest): KeyedRequest => ({ model: identity, ...asking })

  function kept(asking: CompletionRequest): StoredCompletion | undefined {
    const key = keyOfRequest(questionOf(asking))
    if ('get' in answers) return failures.get(key) ?? answers.get(key)
    const found = answers.held.get(key)
    if (!found)
      throw new UserError({
        file: answers.file,
        message: `holds no answer of the model \`${name}\` to ${inWords(asking)} (${key}); record it again, or ask the model by leaving out \`answers\``,
      })
    return found
  }

  async function fetchAnswer(asking: CompletionRequest, call: CallOptions): Promise<StoredCompletion> {
    const { messages, schema } = asking
    const sent = schema === undefined ? params : { ...params, schema: schema as ChatParams['schema'] }
    const answer = await open().complete(messages, sent, call)
    return (answers as CompletionStore).put(storedCompletion(questionOf(asking), answer))
  }

  return {
    name,
    fallback,
    concurrency: options.concurrency,
    stored: kept,
    fail(asking, reason) {
      const answer = { text: '', model: name, finish: 'failed', usage: null, failure: reason } as const
      const one = storedCompletion(questionOf(asking), answer)
      failures.set(one.key, one)
      return one
    },
    keepFailures() {
      for (const one of failures.values()) (answers as CompletionStore).put(one)
      failures.clear()
    },
    cost(one) {
      if (!options.price) return null
      if (one.completion.finish === 'failed') return 0
      const took = takenBy(one)
      // Searches that a reranker's server does not count are estimated too.
      const searches = took.searches ?? (options.price.searches ? options.atMost(one.request).searches : 0)
      return dollarsOfUsage({ ...took, searches }, options.price)
    },
    estimate(asking) {
      const most = options.atMost(asking)
      return { ...most, key: keyOfRequest(questionOf(asking)), dollars: dollarsAtMost(most, options.price) }
    },
    requireKey: () => void open(),
    async ask(asking, signal, onText) {
      const known = kept(asking)
      if (known) return known
      const key = keyOfRequest(questionOf(asking))
      const waiting = underWay.get(key)
      if (waiting) return waiting
      const asked = fetchAnswer(asking, { signal, onText }).finally(() => underWay.delete(key))
      underWay.set(key, asked)
      return asked
    },
  }
}

/** Asks a model and, where that refuses, its fallback: every answer that was given, the last one counts. */
export async function askWithFallbacks(
  model: CachedModel,
  asking: CompletionRequest,
  signal?: AbortSignal,
): Promise<readonly { readonly model: CachedModel; readonly answered: StoredCompletion }[]> {
  const own = { model, answered: await model.ask(asking, signal) }
  if (own.answered.completion.finish !== 'refusal' || !model.fallback) return [own]
  return [own, ...(await askWithFallbacks(model.fallback, asking, signal))]
}

/** The end of the last message: what is particular to a question mostly stands there. */
function inWords({ messages, repeat }: CompletionRequest): string {
  const last: Message | undefined = messages.at(-1)
  const text = last?.content.trim() ?? ''
  const again = repeat > 0 ? `, repeat ${repeat}` : ''
  return `${quoted(text.length > 60 ? `...${text.slice(-57)}` : text)}${again}`
}
