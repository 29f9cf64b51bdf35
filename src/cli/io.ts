import { createInterface } from 'node:readline'
import { printable } from '../text/printable.ts'
import type { Progress } from '../types.ts'
import { divertPrints, watchCustomCode } from './custom-code.ts'
import { INTERRUPTED, TERMINATED } from './exit.ts'
import { type Screen, showProgress } from './progress.ts'

/** Where a command line runs: the process, or a test's stand-in. */
export interface Terminal {
  readonly out: Screen
  readonly err: Screen
  /** What a person types; null where nobody can, as in a pipe. */
  readonly input: { line(): Promise<string> } | null
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working folder. */
  readonly folder: string
  /** Milliseconds from any fixed point. */
  readonly clock: () => number
  /** Bytes that the process holds in memory. */
  readonly memory: () => number
  /** Calls back at every Ctrl-C and SIGTERM until the returned function is called. */
  onInterrupt(listener: (signal: NodeJS.Signals) => void): () => void
  /** Ends the process at once, in the middle of whatever it does. */
  exit(code: number): void
}

/** What a command says and where. */
export interface Io {
  /** A line (or several) on stdout; on stderr where `--json` has stdout for itself. */
  out(text: string): void
  /** A piece of a line, where `out` writes. */
  part(text: string): void
  /** A line (or several) on stderr. */
  err(text: string): void
  /** The one JSON value of `--json`, on stdout. */
  json(value: unknown): void
  /** Tells of long work on stderr: a bar on a terminal, a line a minute without one. */
  readonly progress: Progress
  /** Asks a person, who may say yes; null where there is none to ask. */
  readonly confirm: ((question: string) => Promise<boolean>) | null
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean
  /** Width of stdout; 80 where it is not a terminal. */
  readonly columns: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working folder, absolute. */
  readonly folder: string
}

/** The command's view of a terminal. `close` takes a progress bar off the screen. */
export function openIo(terminal: Terminal, json: boolean): Io & { close(): void } {
  const bar = showProgress(terminal.err, terminal.clock, terminal.memory)
  const write = (to: Screen, text: string) => {
    bar.clear()
    to.write(`${printable(text).replace(/\n$/, '')}\n`)
  }
  return {
    out: (text) => write(json ? terminal.err : terminal.out, text),
    part(text) {
      bar.clear()
      const to = json ? terminal.err : terminal.out
      to.write(printable(text))
    },
    err: (text) => write(terminal.err, text),
    json: (value) => write(terminal.out, JSON.stringify(value, null, 2)),
    progress: bar.progress,
    confirm:
      terminal.input &&
      (async (question) => {
        bar.clear()
        terminal.err.write(`${printable(question)} [y/N] `)
        return /^y(es)?$/i.test(((await terminal.input?.line()) ?? '').trim())
      }),
    isTerminal: terminal.out.isTerminal,
    columns: terminal.out.isTerminal ? terminal.out.columns : 80,
    env: terminal.env,
    folder: terminal.folder,
    close: bar.clear,
  }
}

/**
 * Ends the process by its signal, where `code` is of one: Node's own exit would wait for native code in other threads and then
 * pull their environment from under it, which aborts. Locks and children are let go of first.
 */
function end(code: number): void {
  const signal = ({ [INTERRUPTED]: 'SIGINT', [TERMINATED]: 'SIGTERM' } as const)[code]
  if (!signal) process.exit(code)
  process.emit('exit', code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const screen = (stream: NodeJS.WriteStream): Screen => {
    const write = stream.write.bind(stream) as (text: string) => boolean
    // `touchstone list | head` closes the pipe early; that is nobody's mistake.
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

/** A line from the keyboard; empty where the input ends. */
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
