import { type Mistake, UserError } from '../errors.ts'
import type { AnsweringModel, Asking } from '../models/answers/answering.ts'
import type { Answered } from '../models/answers/question.ts'
import { FailedRequest } from '../models/http/server.ts'
import type { Progress } from '../types.ts'
import type { Ledger } from './ledger.ts'

export interface WatchOptions {
  readonly signal: AbortSignal
  readonly progress: Progress
  /** What all answers together took, and may take. */
  readonly ledger: Ledger
  /** Called before the first question that has no answer yet; throws where a model cannot be asked. */
  readonly begin: () => Promise<void>
}

/** What models were asked through here, and what keeps them from being asked more. */
export interface Watch {
  /** The model, within its concurrency and the budget of all; its answers are noted. */
  watched(model: AnsweringModel): AnsweringModel
  readonly answers: ReadonlyMap<string, Answered>
  /** Keeps the requests that failed; called where what was asked was not ended. */
  keepFailures(): void
  /** Throws what ended the asking, where something did: to a step it may have looked like one query's failure. */
  throwIfEnded(): void
}

/**
 * Lets steps ask models for the first time: no call begins once the budget is used up, the signal is aborted or a call
 * failed; what is under way is waited for by those who asked, and kept.
 */
export function watchModels({ signal, progress, ledger, begin }: WatchOptions): Watch {
  const answers = new Map<string, Answered>()
  const models = new Map<string, AnsweringModel>()
  let begun: Promise<void> | undefined
  let ended: { readonly reason: unknown } | undefined

  function note(model: AnsweringModel, answered: Answered): Answered {
    answers.set(answered.key, answered)
    ledger.note(answered, model.cost(answered))
    return answered
  }

  function watch(model: AnsweringModel): AnsweringModel {
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

    async function askNow(asking: Asking): Promise<Answered> {
      signal.throwIfAborted()
      begun ??= begin()
      await begun
      ledger.check()
      const answered = note(model, await request(asking))
      progress(`asking ${model.name}`, ++done, done + waiting - 1)
      return answered
    }

    /** The answer. A request that fails is one query's failure, up to a limit: requests that follow may succeed. */
    async function request(asking: Asking): Promise<Answered> {
      try {
        const answered = await model.ask(asking)
        ledger.noteRequest()
        model.keepFailures()
        return answered
      } catch (error) {
        if (!(error instanceof FailedRequest)) throw error
        ledger.noteRequest(error.message)
        return model.fail(asking, error.reason)
      }
    }

    return {
      ...model,
      fallback: model.fallback && watched(model.fallback),
      async ask(asking) {
        const known = await endingAll(() => model.kept(asking))
        if (known) return note(model, known)
        waiting++
        return lane(() => endingAll(() => askNow(asking)).finally(() => waiting--))
      },
    }
  }

  function watched(model: AnsweringModel): AnsweringModel {
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
  models: readonly AnsweringModel[],
  locations: Readonly<Record<string, Omit<Mistake, 'message'>>>,
): void {
  const mistakes = new Map<string, Mistake>()
  for (const model of models) {
    try {
      model.requireKey()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      for (const { message } of error.mistakes)
        mistakes.set(model.name, { ...locations[model.name], message })
    }
  }
  if (mistakes.size > 0) throw new UserError([...mistakes.values()])
}
