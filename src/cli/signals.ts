import { requestStop } from '../stopping.ts'
import { INTERRUPTED, TERMINATED } from './exit.ts'
import type { Terminal } from './io.ts'

/** Milliseconds that a command has to stop. */
const LONGEST = 4500

/**
 * Answers Ctrl-C and SIGTERM while a command runs, until the returned function is called. The first one asks all threads to
 * stop, says how to resume, and calls `stop` with the exit code. The process ends at the second one, or after `LONGEST`: files
 * are renamed when they are whole, so that ending anywhere is safe. A command without `interrupted` ends at the first one.
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
    // After the first signal, another one still ends the process with the same exit code.
    if (stopped === undefined) forget()
  }
}
