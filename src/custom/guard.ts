import { createContext, runInContext } from 'node:vm'
import { UserError } from '../errors.ts'
import { diagnosticIn } from './location.ts'

/** Default time limit of a call of custom code, in seconds. */
export const TIMEOUT = 60

/** Somebody's code did not come to its end in time. */
export class OutOfTime extends UserError {
  onQuery(id: string): UserError {
    return new UserError(
      this.diagnostics.map((diagnostic) => ({
        ...diagnostic,
        message: `${diagnostic.message} on the query ${id}`,
      })),
    )
  }
}

export interface Guard {
  /** Calls `run`, which ends at once where it takes longer, even in an endless loop. `what` names it, as in: the step `last`. */
  call<T>(what: string, run: () => T, seconds?: number): T
  wait<T>(what: string, promise: PromiseLike<T>, seconds?: number): Promise<T>
}

export function createGuard(file?: string): Guard {
  const context = createContext({})
  const late = (what: string, seconds: number) =>
    new OutOfTime({
      ...(file !== undefined && { file }),
      message: `${what} gave no answer within ${seconds} s`,
    })
  return {
    call(what, run, seconds = TIMEOUT) {
      context.run = run
      try {
        // A thrown value keeps its stack: with Node's excerpt of the code before it, it has no column.
        return runInContext('run()', context, { timeout: Math.ceil(1000 * seconds), displayErrors: false })
      } catch (error) {
        throw (error as NodeJS.ErrnoException)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
          ? late(what, seconds)
          : error
      }
    },
    wait(what, promise, seconds = TIMEOUT) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(late(what, seconds)), 1000 * seconds)
        promise.then(resolve, reject).then(() => clearTimeout(timer))
      })
    },
  }
}

export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null | undefined)?.then === 'function'
}

/**
 * Asks the code of the file at `path` for something while a corpus is prepared or a text embedded, where no query can fail
 * alone: what it throws is an error at its place in the file.
 */
export function createAsking(guard: Guard, path: string, seconds?: number) {
  return {
    now<T>(what: string, run: () => T): T {
      try {
        return guard.call(what, run, seconds)
      } catch (error) {
        throw diagnosticIn(path, `${what} failed`, error)
      }
    },
    async later<T>(what: string, run: () => T | PromiseLike<T>): Promise<T> {
      try {
        const answer = guard.call(what, run, seconds)
        return await (isPromise(answer) ? guard.wait(what, answer, seconds) : answer)
      } catch (error) {
        throw diagnosticIn(path, `${what} failed`, error)
      }
    },
  }
}
