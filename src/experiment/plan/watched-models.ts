import { type Diagnostic, UserError } from '../../errors.ts'
import type { CachedModel, CompletionRequest } from '../../models/completions/cached-model.ts'
import type { StoredCompletion } from '../../models/completions/request.ts'
import { FailedRequest } from '../../models/http/server.ts'
import type { Progress } from '../../types.ts'
import type { Spending } from './spending.ts'

export interface WatchOptions {
  readonly signal: AbortSignal
  readonly progress: Progress
  /** What all answers together took, and may take. */
  readonly spending: Spending
  /** Called before the first question that has no answer yet; throws where a model cannot be asked. */
  readonly begin: () => Promise<void>
}

/** What models were asked through here, and what keeps them from being asked more. */
export interface Watch {
  /** The model, within its concurrency and the budget of all; its answers are noted. */
  watched(model: CachedModel): CachedModel
  readonly answers: ReadonlyMap<string, StoredCompletion>
  /** Keeps the requests that failed; called where what was asked was not ended. */
  keepFailures(): void
  /** Throws what ended the asking, where something did: to a step it may have looked like one query's failure. */
  throwIfEnded(): void
}

/**
 * Lets steps ask models for the first time: no call begins once the budget is used up, the signal is aborted or a call
 * failed; what is under way is waited for by those who asked, and kept.
 */
export function watchModels({ signal, progress, spending, begin }: WatchOptions): Watch {
  const answers = new Map<string, StoredCompletion>()
  const models = new Map<string, CachedModel>()
  let begun: Promise<void> | undefined
  let ended: { readonly reason: unknown } | undefined

  function note(model: CachedModel, answered: StoredCompletion): StoredCompletion {
    answers.set(answered.key, answered)
    spending.note(answered, model.cost(answered))
    return answered
  }

  function watch(model: CachedModel): CachedModel {
    const lane = createLanes(model.concurrency)
    let done = 0
    let waiting = 0

    /** Ends the asking before the next one's turn comes, where it throws. */
    async function endingAll<T>(task: () => T | Promise<T>): Promise<T> {
      if (ended) throw ended.reason
      try {
        return await task()
      } catch (reason) {
        ended ??= { reason }
        throw reason
      }
    }

    async function askNow(asking: CompletionRequest): Promise<StoredCompletion> {
      signal.throwIfAborted()
      begun ??= begin()
      await begun
      spending.check()
      const answered = note(model, await request(asking))
      progress(`asking ${model.name}`, ++done, done + waiting - 1)
      return answered
    }

    /** The answer. A request that fails is one query's failure, up to a limit: requests that follow may succeed. */
    async function request(asking: CompletionRequest): Promise<StoredCompletion> {
      try {
        const answered = await model.ask(asking)
        spending.noteRequest()
        model.keepFailures()
        return answered
      } catch (error) {
        if (!(error instanceof FailedRequest)) throw error
        spending.noteRequest(error.message)
        return model.fail(asking, error.reason)
      }
    }

    return {
      ...model,
      fallback: model.fallback && watched(model.fallback),
      async ask(asking) {
        const known = await endingAll(() => model.stored(asking))
        if (known) return note(model, known)
        waiting++
        return lane(() => endingAll(() => askNow(asking)).finally(() => waiting--))
      },
    }
  }

  function watched(model: CachedModel): CachedModel {
    const known = models.get(model.name) ?? watch(model)
    models.set(model.name, known)
    return known
  }

  return {
    watched,
    answers,
    keepFailures() {
      if (!ended) for (const model of models.values()) model.keepFailures()
    },
    throwIfEnded() {
      if (ended) throw ended.reason
    },
  }
}

/** Runs at most `size` tasks at once, in the order in which they came. */
function createLanes(size: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = size
  return async (task) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** Asks whoever may be asked whether it can be, and throws all mistakes at once. `locations`: where the config names them. */
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
