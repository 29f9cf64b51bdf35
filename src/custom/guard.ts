import { createContext, runInContext } from 'node:vm'
import { UserError } from '../errors.ts'

/** Default time limit of a call of custom code, in seconds. */
export const TIMEOUT = 60

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
  /** Calls `run`, which ends at the limit even in an endless loop. `subject` names it, as in: the step `last`. */
  call<T>(subject: string, run: () => T, seconds?: number): T
  wait<T>(subject: string, promise: PromiseLike<T>, seconds?: number): Promise<T>
}

export function createGuard(file?: string): Guard {
  const context = createContext({})
  const late = (subject: string, seconds: number) =>
    new OutOfTime({
      ...(file !== undefined && { file }),
      message: `${subject} gave no answer within ${seconds} s`,
    })
  return {
    call(subject, run, seconds = TIMEOUT) {
      context.run = run
      try {
        // A thrown value keeps its stack: with Node's excerpt of the code before it, it has no column.
        return runInContext('run()', context, { timeout: Math.ceil(1000 * seconds), displayErrors: false })
      } catch (error) {
        throw (error as NodeJS.ErrnoException)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
          ? late(subject, seconds)
          : error
      }
    },
    wait(subject, promise, seconds = TIMEOUT) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(late(subject, seconds)), 1000 * seconds)
        promise.then(resolve, reject).then(() => clearTimeout(timer))
      })
    },
  }
}

export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null | undefined)?.then === 'function'
}

/** Calls the code of the file at `path` where no query can fail alone: what it throws is an error at its place in the file. */
export function createAsking(guard: Guard, path: string, seconds?: number) {
  return {
    now<T>(subject: string, run: () => T): T {
      try {
        return guard.call(subject, run, seconds)
      } catch (error) {
        throw diagnosticIn(path, `${subject} failed`, error)
      }
    },
    async later<T>(subject: string, run: () => T | PromiseLike<T>): Promise<T> {
      try {
        const answer = guard.call(subject, run, seconds)
        return await (isPromise(answer) ? guard.wait(subject, answer, seconds) : answer)
      } catch (error) {
        throw diagnosticIn(path, `${subject} failed`, error)
      }
    },
  }
}

/** Place in `path` where an error was thrown, from a stack or a syntax error: line and, if known, column. */
export function codeLocation(path: string, stack = ''): { line?: number; column?: number } {
  const at = stack.indexOf(`${path}:`)
  const [, line, column] = at < 0 ? [] : (/^(\d+)(?::(\d+))?/.exec(stack.slice(at + path.length + 1)) ?? [])
  if (line === undefined) return {}
  return { line: Number(line), ...(column !== undefined && { column: Number(column) }) }
}

/** UserError at the place in `path` where its code threw an error; a UserError stays as it is. `subject` precedes the message. */
export function diagnosticIn(path: string, subject: string, error: unknown): UserError {
  if (error instanceof UserError) return error
  const message = `${subject}: ${error instanceof Error ? error.message : error}`
  return new UserError({
    file: path,
    ...(error instanceof Error ? codeLocation(path, error.stack) : {}),
    message,
  })
}
