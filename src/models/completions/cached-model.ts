import type { CallOptions, ChatModel, ChatParams, OnText } from '../chat/chat-model.ts'
import { realClock } from '../http/limiter.ts'
import { outageReason } from '../http/server.ts'
import { type AtMost, dollarsAtMost, dollarsOfUsage, type TokenPrice, takenBy } from './cost.ts'
import { type KeyedRequest, keyOfRequest, type StoredCompletion, storedCompletion } from './request.ts'
import type { CompletionStore } from './store.ts'

/** A model with stored completions. A completed request is never sent again. */
export interface CachedModel {
  readonly name: string
  /** `onText`: of two equal requests at once, only the first one's is called. */
  ask(request: CompletionRequest, signal?: AbortSignal, onText?: OnText): Promise<StoredCompletion>
  stored(request: CompletionRequest): StoredCompletion | undefined
  /** Recorded completions cannot grow. */
  readonly isRecorded?: boolean | undefined
  /** Model that is asked if this one refuses. */
  readonly fallback?: CachedModel
  readonly concurrency: number
  /** Records that a request failed. `keepFailures` stores it, so that the run can end first if many fail. */
  fail(request: CompletionRequest, reason: string): StoredCompletion
  /** Stores failed requests: they are not sent again. */
  keepFailures(): void
  /** Dollars of a completion, 0 of a failed request; null without a price. */
  cost(stored: StoredCompletion): number | null
  /** Upper bounds; nothing is sent. */
  estimate(request: CompletionRequest): CallEstimate
  /** Throws a UserError if the model has no key. */
  requireKey(): void
}

export type CompletionRequest = Omit<KeyedRequest, 'model' | 'outage'>

/** Upper bounds of one call that was not sent. */
interface CallEstimate extends AtMost {
  readonly key: string
  /** Null without a price, or if nothing limits the completion. */
  readonly dollars: number | null
}

export interface CachedModelOptions {
  readonly name: string
  readonly identity: KeyedRequest['model']
  readonly params: ChatParams
  readonly completions: CompletionStore
  readonly isRecorded?: boolean
  /** Called for the first request without a stored completion. */
  readonly open: () => ChatModel
  readonly fallback?: CachedModel
  /** True if the fallback also serves requests without an answer; each outage is stored. */
  readonly fallbackOnOutage?: boolean | undefined
  readonly concurrency: number
  readonly price: TokenPrice | null
  readonly atMost: (request: CompletionRequest) => AtMost
}

export function cachedModel(options: CachedModelOptions): CachedModel {
  const { name, identity, params, completions, isRecorded, fallback } = options
  let opened: ChatModel | undefined
  const open = () => {
    opened ??= options.open()
    return opened
  }
  const failures = new Map<string, StoredCompletion>()
  const underWay = new Map<string, Promise<StoredCompletion>>()
  const requestOf = (request: CompletionRequest): KeyedRequest => ({ model: identity, ...request })

  function storedOf(request: CompletionRequest): StoredCompletion | undefined {
    const key = keyOfRequest(requestOf(request))
    const completion = failures.get(key) ?? completions.get(key)
    if (completion || !options.fallbackOnOutage) return completion
    return completions.get(keyOfRequest({ ...requestOf(request), outage: true }))
  }

  function failed(request: KeyedRequest, failure: string): StoredCompletion {
    return storedCompletion(request, { text: '', model: name, finish: 'failed', usage: null, failure })
  }

  async function fetchCompletion(request: CompletionRequest, call: CallOptions): Promise<StoredCompletion> {
    const { messages, schema } = request
    const sent = schema === undefined ? params : { ...params, schema: schema as ChatParams['schema'] }
    const begin = realClock.now()
    const put = (stored: StoredCompletion) => {
      const took = { milliseconds: Math.round(realClock.now() - begin), date: realClock.date() }
      return completions.put({ ...stored, took })
    }
    try {
      return put(storedCompletion(requestOf(request), await open().complete(messages, sent, call)))
    } catch (error) {
      const reason = options.fallbackOnOutage ? outageReason(error) : undefined
      if (reason === undefined) throw error
      return put(failed({ ...requestOf(request), outage: true }, reason))
    }
  }

  return {
    name,
    isRecorded,
    fallback,
    concurrency: options.concurrency,
    stored: storedOf,
    fail(request, reason) {
      const failure = failed(requestOf(request), reason)
      failures.set(failure.key, failure)
      return failure
    },
    keepFailures() {
      for (const failure of failures.values()) completions.put(failure)
      failures.clear()
    },
    cost(stored) {
      if (stored.completion.finish === 'failed') return 0
      if (!options.price) return null
      const took = takenBy(stored)
      // Searches that a server does not count are estimated.
      const searches = took.searches ?? (options.price.searches ? options.atMost(stored.request).searches : 0)
      return dollarsOfUsage({ ...took, searches }, options.price)
    },
    estimate(request) {
      const most = options.atMost(request)
      return { ...most, key: keyOfRequest(requestOf(request)), dollars: dollarsAtMost(most, options.price) }
    },
    requireKey: () => void open(),
    async ask(request, signal, onText) {
      const earlier = storedOf(request)
      if (earlier) return earlier
      const key = keyOfRequest(requestOf(request))
      const waiting = underWay.get(key)
      if (waiting) return waiting
      const completion = fetchCompletion(request, { signal, onText }).finally(() => underWay.delete(key))
      underWay.set(key, completion)
      return completion
    },
  }
}

/** Reason why a fallback serves the request; undefined if the completion counts. */
export function handedOn({ name }: Pick<CachedModel, 'name'>, { request, completion }: StoredCompletion) {
  if (request.outage) return `the model ${name} gave no answer`
  return completion.finish === 'refusal' ? `the model ${name} refused` : undefined
}

/**
 * Asks a model and, after a refusal or an outage, its fallbacks. Gives every completion; the last one counts.
 */
export async function askWithFallbacks(
  model: CachedModel,
  request: CompletionRequest,
  signal?: AbortSignal,
): Promise<readonly { readonly model: CachedModel; readonly stored: StoredCompletion }[]> {
  const first = { model, stored: await model.ask(request, signal) }
  if (handedOn(model, first.stored) === undefined || !model.fallback) return [first]
  return [first, ...(await askWithFallbacks(model.fallback, request, signal))]
}

/** Calls around every request to a model and to its fallbacks; any may throw. */
interface Observer {
  /** Completion in place of the request's; undefined lets the request through. */
  readonly before?: (
    model: CachedModel,
    request: CompletionRequest,
  ) => StoredCompletion | undefined | Promise<StoredCompletion | undefined>
  /** Sends the request; `model.ask` if absent. */
  readonly send?: (model: CachedModel, request: CompletionRequest) => Promise<StoredCompletion>
  readonly after?: (completion: StoredCompletion, model: CachedModel) => void
}

export function observe(model: CachedModel, observer: Observer): CachedModel {
  const { before, send, after } = observer
  return {
    ...model,
    fallback: model.fallback && observe(model.fallback, observer),
    async ask(request: CompletionRequest, signal?: AbortSignal, onText?: OnText) {
      const replaced = await before?.(model, request)
      const completion =
        replaced ?? (await (send ? send(model, request) : model.ask(request, signal, onText)))
      after?.(completion, model)
      return completion
    },
  }
}
