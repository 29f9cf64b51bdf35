import { type Diagnostic, UserError } from '../../errors.ts'
import type { CachedModel, CompletionRequest } from '../../models/completions/cached-model.ts'
import { observe } from '../../models/completions/observe.ts'
import type { StoredCompletion } from '../../models/completions/request.ts'
import { realClock } from '../../models/http/clock.ts'
import { createLimiter } from '../../models/http/limiter.ts'
import { FailedRequest } from '../../models/http/server.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Progress } from '../../types.ts'
import type { OpenExperiment } from './open.ts'
import type { Spending } from './spending.ts'

interface WatchOptions {
  readonly signal: AbortSignal
  readonly progress: Progress
  readonly spending: Spending
  /** Called before the first new request; may throw. */
  readonly begin: () => Promise<void>
}

/** Models within one budget, and their completions. */
export interface Watch {
  /** The model within its concurrency and the budget; completions are noted. */
  watched(model: CachedModel): CachedModel
  readonly completions: ReadonlyMap<string, StoredCompletion>
  /** Stores failed requests, unless the watch has ended. */
  keepFailures(): void
  /** Throws the error that ended the watch: a step may have reported it as a query's failure. */
  throwIfEnded(): void
}

/**
 * Lets steps ask models. No request begins after the budget is used up, the signal is aborted or a request threw; those
 * under way are waited for and stored.
 */
export function watchModels({ signal, progress, spending, begin }: WatchOptions): Watch {
  const completions = new Map<string, StoredCompletion>()
  const models = new Map<string, ReturnType<typeof openModel>>()
  let begun: Promise<void> | undefined
  let ended: { readonly reason: unknown } | undefined

  function note(model: CachedModel, completion: StoredCompletion): StoredCompletion {
    completions.set(completion.key, completion)
    spending.note(completion, model.cost(completion))
    return completion
  }

  /** If the task throws, no further request begins. */
  async function endingAll<T>(task: () => T | Promise<T>): Promise<T> {
    if (ended) throw ended.reason
    try {
      return await task()
    } catch (reason) {
      ended ??= { reason }
      throw reason
    }
  }

  function openModel(model: CachedModel) {
    const { concurrency } = model
    return { model, limiter: createLimiter({ concurrency }, realClock), done: 0, waiting: 0 }
  }

  function openedOf(model: CachedModel) {
    const opened = models.get(model.name) ?? openModel(model)
    models.set(model.name, opened)
    return opened
  }

  async function send(model: CachedModel, request: CompletionRequest): Promise<StoredCompletion> {
    const opened = openedOf(model)
    opened.waiting++
    const leave = await opened.limiter.enter()
    try {
      return await endingAll(async () => {
        signal.throwIfAborted()
        begun ??= begin()
        await begun
        spending.check()
        const completion = note(model, await complete(model, request))
        progress(`asking ${model.name}`, ++opened.done, opened.done + opened.waiting - 1)
        return completion
      })
    } finally {
      opened.waiting--
      leave()
    }
  }

  /** A failed request is one query's failure, up to a limit. */
  async function complete(model: CachedModel, request: CompletionRequest): Promise<StoredCompletion> {
    try {
      const completion = await model.ask(request)
      spending.noteRequest()
      model.keepFailures()
      return completion
    } catch (error) {
      if (!(error instanceof FailedRequest)) throw error
      spending.noteRequest(error.message)
      return model.fail(request, error.reason)
    }
  }

  return {
    watched: (model) =>
      observe(model, {
        async before(model, request) {
          openedOf(model)
          const stored = await endingAll(() => model.stored(request))
          return stored && note(model, stored)
        },
        send,
      }),
    completions,
    keepFailures() {
      if (!ended) for (const { model } of models.values()) model.keepFailures()
    },
    throwIfEnded() {
      if (ended) throw ended.reason
    },
  }
}

/** Before the first request all models need their keys. */
export function watchAll(
  { store, experiment }: Pick<OpenExperiment, 'store' | 'experiment'>,
  models: readonly Artifact<CachedModel>[],
  options: Omit<WatchOptions, 'begin'>,
): Watch {
  const begin = async () =>
    requireKeys(await Promise.all(models.map((model) => store.open(model))), experiment.modelLocations)
  return watchModels({ ...options, begin })
}

/** Throws a UserError with every model without a key. */
export function requireKeys(
  models: readonly CachedModel[],
  locations: Readonly<Record<string, Omit<Diagnostic, 'message'>>>,
): void {
  const diagnostics = new Map<string, Diagnostic>()
  for (const model of models) {
    try {
      model.requireKey()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      for (const { message } of error.diagnostics)
        diagnostics.set(model.name, { ...locations[model.name], message })
    }
  }
  if (diagnostics.size > 0) throw new UserError([...diagnostics.values()])
}
