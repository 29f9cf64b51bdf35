import { isAbsolute, relative } from 'node:path'
import type { Progress } from '../types.ts'
import { type Screen, showProgress } from './progress.ts'

/** Where a command line runs: the process, or a test's stand-in. */
export interface Terminal {
  readonly out: Screen
  readonly err: Screen
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working folder. */
  readonly folder: string
  /** Milliseconds from any fixed point. */
  readonly clock: () => number
  /** Bytes that the process holds in memory. */
  readonly memory: () => number
  /** Calls back at every Ctrl-C (and SIGTERM) until the returned function is called. */
  onInterrupt(listener: () => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
}

/** What a command says and where. */
export interface Io {
  /** A line (or several) on stdout; on stderr where `--json` has stdout for itself. */
  out(text: string): void
  /** A line (or several) on stderr. */
  err(text: string): void
  /** The one JSON value of `--json`, on stdout. */
  json(value: unknown): void
  /** Tells of long work on stderr: a bar on a terminal, a line a minute without one. */
  readonly progress: Progress
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean
  /** Whether stdout takes colours: a terminal, and no NO_COLOR. */
  readonly color: boolean
  /** Width of stdout; 80 where it is not a terminal. */
  readonly columns: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working folder, absolute. */
  readonly folder: string
}

/** A path as a person at `folder` would write it: relative below it, absolute elsewhere. */
export function shownPath(folder: string, path: string): string {
  const near = relative(folder, path)
  return near === '' ? '.' : near.startsWith('..') || isAbsolute(near) ? path : near
}

/** The command's view of a terminal. `close` takes a progress bar off the screen. */
export function openIo(terminal: Terminal, json: boolean): Io & { close(): void } {
  const bar = showProgress(terminal.err, terminal.clock, terminal.memory)
  const write = (to: Screen, text: string) => {
    bar.clear()
    to.write(text.endsWith('\n') ? text : `${text}\n`)
  }
  return {
    out: (text) => write(json ? terminal.err : terminal.out, text),
    err: (text) => write(terminal.err, text),
    json: (value) => write(terminal.out, JSON.stringify(value, null, 2)),
    progress: bar.progress,
    isTerminal: terminal.out.isTerminal,
    color: terminal.out.isTerminal && !terminal.env.NO_COLOR,
    columns: terminal.out.isTerminal ? terminal.out.columns : 80,
    env: terminal.env,
    folder: terminal.folder,
    close: bar.clear,
  }
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const screen = (stream: NodeJS.WriteStream): Screen => {
    // `touchstone list | head` closes the pipe early; that is nobody's mistake.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      throw error
    })
    return {
      write: (text) => void stream.write(text),
      isTerminal: Boolean(stream.isTTY),
      get columns() {
        return stream.columns ?? 80
      },
    }
  }
  return {
    out: screen(process.stdout),
    err: screen(process.stderr),
    env: process.env,
    folder: process.cwd(),
    clock: () => performance.now(),
    memory: () => process.memoryUsage.rss(),
    onInterrupt(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener)
      return () => void process.off('SIGINT', listener).off('SIGTERM', listener)
    },
    exit: (code) => process.exit(code),
  }
}
