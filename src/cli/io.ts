import { createInterface } from 'node:readline'
import { COLOURED, type Paint, PLAIN } from '../report/terminal.ts'
import { printable, printablePainted } from '../text/printable.ts'
import type { Progress } from '../types.ts'
import { divertPrints, watchCustomCode } from './custom-code.ts'
import { INTERRUPTED, TERMINATED } from './exit.ts'
import { type Screen, showProgress } from './progress.ts'

/** Environment of a command line: the process, or a stand-in of a test. */
export interface Terminal {
  readonly out: Screen
  readonly err: Screen
  /** Reads from the keyboard; null if input is not a terminal. */
  readonly input: { line(): Promise<string> } | null
  readonly env: Readonly<Record<string, string | undefined>>
  /** Working folder. */
  readonly folder: string
  /** Milliseconds from any fixed point. */
  readonly clock: () => number
  /** Resident memory of the process in bytes. */
  readonly memory: () => number
  /** Calls back at every Ctrl-C and SIGTERM until the returned function is called. */
  onInterrupt(listener: (signal: NodeJS.Signals) => void): () => void
  /** Ends the process immediately. */
  exit(code: number): void
}

/** Output of a command. */
export interface Io {
  /** Prints a line (or several) on stdout; on stderr with `--json`. */
  out(text: string): void
  /** Prints as `out` does, with the colours and links of `paint`. Texts of others in it must be filtered before. */
  painted(text: string): void
  /** Colours and links, if stdout is a terminal and `NO_COLOR` is unset. */
  readonly paint: Paint
  /** Prints a part of a line, to the same stream as `out`. */
  part(text: string): void
  /** Prints a line (or several) on stderr. */
  err(text: string): void
  /** Prints the single JSON value of `--json` on stdout. */
  json(value: unknown): void
  /** Reports long work on stderr: a bar on a terminal, otherwise one line per minute. */
  readonly progress: Progress
  /** Asks for confirmation; null without a terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | null
  /** Width of stdout; 80 if it is not a terminal. */
  readonly columns: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** Working folder, absolute path. */
  readonly folder: string
}

/** Output of a command on a terminal. `close` removes a progress bar. */
export function openIo(terminal: Terminal, json: boolean): Io & { close(): void } {
  const bar = showProgress(terminal.err, terminal.clock, terminal.memory)
  const write = (to: Screen, text: string, filter = printable) => {
    bar.clear()
    to.write(`${filter(text).replace(/\n$/, '')}\n`)
  }
  const isColoured = !json && terminal.out.isTerminal && !terminal.env.NO_COLOR
  return {
    out: (text) => write(json ? terminal.err : terminal.out, text),
    painted: (text) => write(json ? terminal.err : terminal.out, text, printablePainted),
    paint: isColoured ? COLOURED : PLAIN,
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
  // Otherwise Node takes the main thread, which waits for the command, for one that waits for nothing.
  process.exitCode = code
  process.emit('exit', code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Terminal of this process. */
export function processTerminal(): Terminal {
  const screen = (stream: NodeJS.WriteStream): Screen => {
    const write = stream.write.bind(stream) as (text: string) => boolean
    // `touchstone list | head` closes the pipe early, which is not an error.
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

/** Line from the keyboard; empty at the end of input. */
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
