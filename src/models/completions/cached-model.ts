import { UserError } from '../../errors.ts'
import type { CallOptions, ChatModel, ChatParams, Message, OnText } from '../chat/chat-model.ts'
import { quoted } from '../vector-problem.ts'
import { type AtMost, dollarsAtMost, dollarsOfUsage, type TokenPrice, takenBy } from './cost.ts'
import { type KeyedRequest, keyOfRequest, type StoredCompletion, storedCompletion } from './request.ts'
import type { CompletionStore } from './store.ts'

/** A model whose answers are kept: what steps ask. Whatever was answered once is never asked again. */
export interface CachedModel {
  /** What the config calls it. */
  readonly name: string
  /** `onText` as of a ChatModel's call; of two that ask the same at once only the first one's is called. */
  ask(request: CompletionRequest, signal?: AbortSignal, onText?: OnText): Promise<StoredCompletion>
  /** The answer that is kept; undefined where there is none yet. Throws where the answers are a recording, which would not grow. */
  stored(request: CompletionRequest): StoredCompletion | undefined
  /** Asked where this one refuses. */
  readonly fallback?: CachedModel
  /** Requests under way at once that make sense. */
  readonly concurrency: number
  /** Takes a request that failed for asked. It is kept only by `keepFailures`, so that others may fail with it first. */
  fail(request: CompletionRequest, reason: string): StoredCompletion
  /** Keeps the requests that failed: they are not made again. */
  keepFailures(): void
  /** Dollars; null where there is no price. */
  cost(stored: StoredCompletion): number | null
  /** What asking it would take at most, with the key that the answer will have; it is not asked for that. */
  estimate(request: CompletionRequest): CallEstimate
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
  readonly completions:
    | CompletionStore
    | { readonly file: string; readonly held: ReadonlyMap<string, StoredCompletion> }
  /** Called for the first question that has no answer yet. */
  readonly open: () => ChatModel
  readonly fallback?: CachedModel
  readonly concurrency: number
  readonly price: TokenPrice | null
  /** What a call may take. */
  readonly atMost: (request: CompletionRequest) => AtMost
}

export function cachedModel(options: CachedModelOptions): CachedModel {
  const { name, identity, params, completions, fallback } = options
  let opened: ChatModel | undefined
  const open = () => {
    opened ??= options.open()
    return opened
  }
  /** Failed requests that are not kept yet. */
  const failures = new Map<string, StoredCompletion>()
  const underWay = new Map<string, Promise<StoredCompletion>>()
  const requestOf = (request: CompletionRequest): KeyedRequest => ({ model: identity, ...request })

  function kept(request: CompletionRequest): StoredCompletion | undefined {
    const key = keyOfRequest(requestOf(request))
    if ('get' in completions) return failures.get(key) ?? completions.get(key)
    const found = completions.held.get(key)
    if (!found)
      throw new UserError({
        file: completions.file,
        message: `holds no answer of the model \`${name}\` to ${inWords(request)} (${key}); record it again, or ask the model by leaving out \`recording\``,
      })
    return found
  }

  async function fetchCompletion(request: CompletionRequest, call: CallOptions): Promise<StoredCompletion> {
    const { messages, schema } = request
    const sent = schema === undefined ? params : { ...params, schema: schema as ChatParams['schema'] }
    const completion = await open().complete(messages, sent, call)
    return (completions as CompletionStore).put(storedCompletion(requestOf(request), completion))
  }

  return {
    name,
    fallback,
    concurrency: options.concurrency,
    stored: kept,
    fail(request, reason) {
      const completion = { text: '', model: name, finish: 'failed', usage: null, failure: reason } as const
      const one = storedCompletion(requestOf(request), completion)
      failures.set(one.key, one)
      return one
    },
    keepFailures() {
      for (const one of failures.values()) (completions as CompletionStore).put(one)
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
    estimate(request) {
      const most = options.atMost(request)
      return { ...most, key: keyOfRequest(requestOf(request)), dollars: dollarsAtMost(most, options.price) }
    },
    requireKey: () => void open(),
    async ask(request, signal, onText) {
      const known = kept(request)
      if (known) return known
      const key = keyOfRequest(requestOf(request))
      const waiting = underWay.get(key)
      if (waiting) return waiting
      const asked = fetchCompletion(request, { signal, onText }).finally(() => underWay.delete(key))
      underWay.set(key, asked)
      return asked
    },
  }
}

/** Asks a model and, where that refuses, its fallback: every answer that was given, the last one counts. */
export async function askWithFallbacks(
  model: CachedModel,
  request: CompletionRequest,
  signal?: AbortSignal,
): Promise<readonly { readonly model: CachedModel; readonly stored: StoredCompletion }[]> {
  const own = { model, stored: await model.ask(request, signal) }
  if (own.stored.completion.finish !== 'refusal' || !model.fallback) return [own]
  return [own, ...(await askWithFallbacks(model.fallback, request, signal))]
}

/** The end of the last message: what is particular to a question mostly stands there. */
function inWords({ messages, repeat }: CompletionRequest): string {
  const last: Message | undefined = messages.at(-1)
  const text = last?.content.trim() ?? ''
  const again = repeat > 0 ? `, repeat ${repeat}` : ''
  return `${quoted(text.length > 60 ? `...${text.slice(-57)}` : text)}${again}`
}
