import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { formatDiagnostic, UserError } from '../errors.ts'
import { COLOURED, type Paint, PLAIN } from '../report/terminal.ts'
import { requestStop } from '../stopping.ts'
import { printable, printablePainted, shownPath } from '../text/printable.ts'
import type { Progress } from '../types.ts'
import { type Screen, showProgress } from './progress.ts'

/** Exit codes, the same for every command. */
export const DONE = 0
export const BUG = 1
export const USER_ERROR = 2
/** A check failed, such as scores that differ from expected ones. */
export const FAILED = 3
/** Ended by Ctrl-C or SIGTERM: 128 plus the signal's number. The same command resumes. */
export const INTERRUPTED = 130
const TERMINATED = 143

/** The process, or a stand-in of a test. */
export interface Terminal {
  readonly out: Screen
  readonly err: Screen
  /** Reads from the keyboard; null if input is not a terminal. */
  readonly input: { line(): Promise<string> } | null
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** Milliseconds from any fixed point. */
  readonly clock: () => number
  /** Resident memory of the process in bytes. */
  readonly memory: () => number
  /** Calls back at every Ctrl-C and SIGTERM until the result is called. */
  onInterrupt(listener: (signal: NodeJS.Signals) => void): () => void
  /** Ends the process immediately. */
  exit(code: number): void
}

export interface Io {
  /** Prints on stdout; on stderr with `--json`. */
  out(text: string): void
  /** Prints with the colours and links of `paint`. Texts of others must be filtered before. */
  painted(text: string): void
  /** Plain unless stdout is a terminal and `NO_COLOR` is unset. */
  readonly paint: Paint
  part(text: string): void
  /** Prints a line (or several) on stderr. */
  err(text: string): void
  json(value: unknown): void
  /** Prints `value` with `--json`, otherwise `text` as `out` does. */
  result(value: unknown, text: string | (() => string)): void
  /** Absolute path of an argument. */
  path(argument: string): string
  shown(path: string): string
  /** A bar on a terminal, otherwise one line per minute on stderr. */
  readonly progress: Progress
  /** Null without a terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | null
  /** Width of stdout; 80 if it is not a terminal. */
  readonly columns: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
}

/** `close` removes a progress bar. */
export function openIo(terminal: Terminal, json: boolean): Io & { close(): void } {
  const bar = showProgress(terminal.err, terminal.clock, terminal.memory)
  const write = (to: Screen, text: string, filter = printable) => {
    bar.clear()
    to.write(`${filter(text).replace(/\n$/, '')}\n`)
  }
  const isColoured = !json && terminal.out.isTerminal && !terminal.env.NO_COLOR
  const out = json ? terminal.err : terminal.out
  const printJson = (value: unknown) => write(terminal.out, JSON.stringify(value, null, 2))
  return {
    out: (text) => write(out, text),
    painted: (text) => write(out, text, printablePainted),
    paint: isColoured ? COLOURED : PLAIN,
    part(text) {
      bar.clear()
      out.write(printable(text))
    },
    err: (text) => write(terminal.err, text),
    json: printJson,
    result(value, text) {
      if (json) printJson(value)
      else write(out, typeof text === 'string' ? text : text())
    },
    path: (argument) => resolve(terminal.folder, argument),
    shown: (path) => shownPath(terminal.folder, path),
    progress: bar.progress,
    confirm:
      terminal.input &&
      (async (question) => {
        bar.clear()
        terminal.err.write(`${printable(question)} [y/N] `)
        return /^y(es)?$/i.test(((await terminal.input?.line()) ?? '').trim())
      }),
    columns: terminal.out.isTerminal ? terminal.out.columns : 80,
    env: terminal.env,
    folder: terminal.folder,
    close: bar.clear,
  }
}

/**
 * Ends the process by a signal if `code` means one: Node's exit would wait for native code in other threads and then
 * destroy their environment, which aborts. Releases locks and ends children first.
 */
function end(code: number): void {
  const signal = ({ [INTERRUPTED]: 'SIGINT', [TERMINATED]: 'SIGTERM' } as const)[code]
  if (!signal) process.exit(code)
  // Otherwise Node takes the main thread for one that waits for nothing.
  process.exitCode = code
  process.emit('exit', code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

export function processTerminal(): Terminal {
  const screen = (stream: NodeJS.WriteStream): Screen => {
    const write = stream.write.bind(stream) as (text: string) => boolean
    // `touchstone list | head` closes the pipe early.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      throw error
    })
    return {
      write: (text) => void write(text),
      isTerminal: Boolean(stream.isTTY),
      get columns() {
        return stream.columns ?? 80
      },
    }
  }
  const err = screen(process.stderr)
  const out = screen(process.stdout)
  watchCustomCode(err)
  divertPrints(process.stdout, err)
  return {
    out,
    err,
    input: process.stdin.isTTY && process.stderr.isTTY ? { line: typedLine } : null,
    env: process.env,
    folder: process.cwd(),
    clock: () => performance.now(),
    memory: () => process.memoryUsage.rss(),
    onInterrupt(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener)
      return () => void process.off('SIGINT', listener).off('SIGTERM', listener)
    },
    exit: end,
  }
}

/** Empty at the end of input. */
function typedLine(): Promise<string> {
  return new Promise((typed) => {
    const lines = createInterface({ input: process.stdin })
    lines.once('line', (line) => {
      typed(line)
      lines.close()
    })
    lines.once('close', () => typed(''))
  })
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OURS = ['bin', 'dist', 'src', 'tests'].map((folder) => `${ROOT}${folder}/`)

/** Error thrown in a custom file, with its location; undefined for our code and packages. */
export function customCodeError(error: unknown): UserError | undefined {
  if (!(error instanceof Error) || error instanceof UserError) return undefined
  const location = customLocation(error.stack)
  return location && new UserError({ ...location, message: error.message })
}

/** First location in `stack` in a custom file. */
function customLocation(stack = ''): { file: string; line: number; column: number } | undefined {
  for (const [, location, line, column] of stack.matchAll(
    /^ +at (?:.*[ (])?((?:file:\/\/)?\/[^()]*):(\d+):(\d+)\)?$/gm,
  )) {
    const file = location.startsWith('file:') ? fileURLToPath(location) : location
    if (!file.includes('/node_modules/') && !OURS.some((folder) => file.startsWith(folder)))
      return { file, line: Number(line), column: Number(column) }
  }
  return undefined
}

/** Node's exit code if `main` waits and nothing can arrive. */
const UNSETTLED = 13

/** Reports custom code that ends the process or throws outside an awaited call. */
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
 * Redirects prints of custom code from `stdout` to `err`, each line marked, so that they do not mix with a table or
 * `--json`.
 */
function divertPrints(stdout: NodeJS.WriteStream, err: Screen): void {
  stdout.write = (chunk: Uint8Array | string, ...more: readonly unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    const lines = printable(text).replace(/\n$/, '').split('\n')
    if (text !== '') err.write(lines.map((line) => `[custom code] ${line}\n`).join(''))
    const done = more.find((argument) => typeof argument === 'function')
    if (done) process.nextTick(done as () => void)
    return true
  }
}

/** Milliseconds that a command has to stop. */
const LONGEST = 4500

/**
 * Answers Ctrl-C and SIGTERM until the result is called. The first one asks all threads to stop, says how to
 * resume, and calls `stop` with the exit code. The process ends at the second one or after `LONGEST`, as it may
 * anywhere: files are renamed when whole. A command without `interrupted` ends at the first one.
 */
export type HearSignals = (
  terminal: Pick<Terminal, 'err' | 'onInterrupt' | 'exit'>,
  interrupted: string | undefined,
  stop: (code: number) => void,
) => () => void

export const hearSignals: HearSignals = (terminal, interrupted, stop) => {
  let stopped: number | undefined
  requestStop(false)
  const forget = terminal.onInterrupt((signal) => {
    if (stopped !== undefined) return terminal.exit(stopped)
    const code = signal === 'SIGTERM' ? TERMINATED : INTERRUPTED
    if (interrupted === undefined) {
      terminal.err.write('\nstopped; start again with the same command\n')
      return terminal.exit(code)
    }
    stopped = code
    terminal.err.write(
      `\nfinishing the work in progress; press Ctrl-C again to stop at once\n${interrupted}: resume with the same command\n`,
    )
    requestStop(true)
    stop(code)
    setTimeout(() => terminal.exit(code), LONGEST).unref()
  })
  return () => {
    // Another signal still ends the process, with the same code.
    if (stopped === undefined) forget()
  }
}
