import { fileURLToPath } from 'node:url'
import { formatDiagnostic, UserError } from '../errors.ts'
import { printable } from '../text/printable.ts'
import { BUG, USER_ERROR } from './exit.ts'
import type { Screen } from './progress.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OURS = ['bin', 'dist', 'src', 'tests'].map((folder) => `${ROOT}${folder}/`)

/** Error thrown in a custom file, as a UserError at its location; undefined if the code is ours or a package's. */
export function customCodeError(error: unknown): UserError | undefined {
  if (!(error instanceof Error) || error instanceof UserError) return undefined
  const location = customLocation(error.stack)
  return location && new UserError({ ...location, message: error.message })
}

/** First location in `stack` in a custom file. */
function customLocation(stack = ''): { file: string; line: number; column: number } | undefined {
  for (const [, where, line, column] of stack.matchAll(
    /^ +at (?:.*[ (])?((?:file:\/\/)?\/[^()]*):(\d+):(\d+)\)?$/gm,
  )) {
    const file = where.startsWith('file:') ? fileURLToPath(where) : where
    if (!file.includes('/node_modules/') && !OURS.some((folder) => file.startsWith(folder)))
      return { file, line: Number(line), column: Number(column) }
  }
  return undefined
}

/** Exit code of Node if the event loop is empty while `main` still waits. */
const UNSETTLED = 13

/** Reports custom code that ends the process or throws outside any awaited call; neither counts as success. */
export function watchCustomCode(err: Screen): void {
  process.on('exit', () => {
    const location = customLocation(new Error().stack)
    const message = 'called process.exit; your own file must not end the run'
    if (location) err.write(`${formatDiagnostic({ ...location, message })}\n`)
    else if (process.exitCode === UNSETTLED)
      err.write('ended while it waited for a result that can no longer arrive\n')
    else return
    process.exitCode = location ? USER_ERROR : BUG
  })
  process.on('uncaughtException', (error) => {
    const diagnostic = customCodeError(error)
    err.write(`${diagnostic?.message ?? error?.stack ?? error}\n`)
    process.exit(diagnostic ? USER_ERROR : BUG)
  })
}

/**
 * Redirects foreign prints from `stdout` to `err`, each line marked, so that a custom step that prints does not mix with a
 * table or `--json`. Includes prints of worker threads.
 */
export function divertPrints(stdout: NodeJS.WriteStream, err: Screen): void {
  stdout.write = (chunk: Uint8Array | string, ...more: readonly unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    const lines = printable(text).replace(/\n$/, '').split('\n')
    if (text !== '') err.write(lines.map((line) => `[custom code] ${line}\n`).join(''))
    const done = more.find((one) => typeof one === 'function')
    if (done) process.nextTick(done as () => void)
    return true
  }
}
