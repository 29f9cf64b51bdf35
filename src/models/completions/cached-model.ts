import { UserError } from '../../errors.ts'
import type { CallOptions, ChatModel, ChatParams, OnText } from '../chat/chat-model.ts'
import { quoted } from '../vector-problem.ts'
import { type AtMost, dollarsAtMost, dollarsOfUsage, type TokenPrice, takenBy } from './cost.ts'
import { type KeyedRequest, keyOfRequest, type StoredCompletion, storedCompletion } from './request.ts'
import type { CompletionStore } from './store.ts'

/** A model with stored completions. A completed request is never sent again. */
export interface CachedModel {
  /** Name of the model in the config. */
  readonly name: string
  /**
   * Completes a request. `onText` as of a ChatModel's call; of two equal requests at once only the first one's is
   * called.
   */
  ask(request: CompletionRequest, signal?: AbortSignal, onText?: OnText): Promise<StoredCompletion>
  /** The stored completion, or undefined. Throws if the completions are a recording, which cannot grow. */
  stored(request: CompletionRequest): StoredCompletion | undefined
  /** Model that is asked if this one refuses. */
  readonly fallback?: CachedModel
  /** Maximum number of requests at once. */
  readonly concurrency: number
  /**
   * Records that a request failed, with the reason. The failure is stored by `keepFailures` only, so that the run can
   * end first if many fail.
   */
  fail(request: CompletionRequest, reason: string): StoredCompletion
  /** Stores the requests that failed: they are not sent again. */
  keepFailures(): void
  /** Dollars of a completion; null without a price. */
  cost(stored: StoredCompletion): number | null
  /** Upper bounds of the request, with its key; nothing is sent. */
  estimate(request: CompletionRequest): CallEstimate
  /** Throws a UserError if the model cannot be asked, as without its key. */
  requireKey(): void
}

/** Request of a step; the key contains the model too. */
export type CompletionRequest = Omit<KeyedRequest, 'model'>

/** Upper bounds of one call that was not sent. */
export interface CallEstimate extends AtMost {
  readonly key: string
  /** Dollars; null without a price, or if nothing limits the completion. */
  readonly dollars: number | null
}

export interface CachedModelOptions {
  readonly name: string
  readonly identity: KeyedRequest['model']
  readonly params: ChatParams
  /** Store of the completions, or the recording that is replayed. */
  readonly completions:
    | CompletionStore
    | { readonly file: string; readonly stored: ReadonlyMap<string, StoredCompletion> }
  /** Opens the model; called for the first request without a stored completion. */
  readonly open: () => ChatModel
  readonly fallback?: CachedModel
  readonly concurrency: number
  readonly price: TokenPrice | null
  /** Upper bounds of a call's tokens and searches. */
  readonly atMost: (request: CompletionRequest) => AtMost
}

export function cachedModel(options: CachedModelOptions): CachedModel {
  const { name, identity, params, completions, fallback } = options
  let opened: ChatModel | undefined
  const open = () => {
    opened ??= options.open()
    return opened
  }
  /** Failed requests that are not stored yet. */
  const failures = new Map<string, StoredCompletion>()
  const underWay = new Map<string, Promise<StoredCompletion>>()
  const requestOf = (request: CompletionRequest): KeyedRequest => ({ model: identity, ...request })

  function kept(request: CompletionRequest): StoredCompletion | undefined {
    const key = keyOfRequest(requestOf(request))
    if ('get' in completions) return failures.get(key) ?? completions.get(key)
    const found = completions.stored.get(key)
    if (!found)
      throw new UserError({
        file: completions.file,
        message: `holds no completion of the model \`${name}\` for ${inWords(request)} (${key}); record it again, or ask the model by leaving out \`recording\``,
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

/** Asks a model and, if it refuses, its fallbacks. Gives every completion; the last one counts. */
export async function askWithFallbacks(
  model: CachedModel,
  request: CompletionRequest,
  signal?: AbortSignal,
): Promise<readonly { readonly model: CachedModel; readonly stored: StoredCompletion }[]> {
  const own = { model, stored: await model.ask(request, signal) }
  if (own.stored.completion.finish !== 'refusal' || !model.fallback) return [own]
  return [own, ...(await askWithFallbacks(model.fallback, request, signal))]
}

/** End of the last message, which mostly names the query. */
function inWords({ messages, repeat }: CompletionRequest): string {
  const text = messages[messages.length - 1].content.trim()
  const again = repeat > 0 ? `, seed ${repeat}` : ''
  return `${quoted(text.length > 60 ? `...${text.slice(-57)}` : text)}${again}`
}
