import type { Terminal } from '../../src/cli/io.ts'

/** A terminal that remembers what was written. Time passes as the test says. */
export interface StandIn extends Terminal {
  readonly stdout: () => string
  readonly stderr: () => string
  /** Presses Ctrl-C, or sends another signal. */
  interrupt(signal?: NodeJS.Signals): void
  readonly exits: readonly number[]
  wait(milliseconds: number): void
}

export function standIn(
  options: {
    folder?: string
    isTerminal?: boolean
    columns?: number
    env?: Record<string, string>
    typed?: string
  } = {},
): StandIn {
  const written = { out: '', err: '' }
  const exits: number[] = []
  const listeners = new Set<(signal: NodeJS.Signals) => void>()
  let now = 0
  const { isTerminal = false, columns = 80 } = options
  const screen = (which: 'out' | 'err') => ({
    write(text: string) {
      written[which] += text
    },
    isTerminal,
    columns,
  })
  return {
    out: screen('out'),
    err: screen('err'),
    input: options.typed === undefined ? null : { line: async () => options.typed ?? '' },
    // Never the cache of whoever runs the tests.
    env: { TOUCHSTONE_CACHE: '/dev/null/cache', ...options.env },
    folder: options.folder ?? '/nowhere',
    clock: () => now,
    memory: () => 120e6,
    onInterrupt(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    exit: (code) => void exits.push(code),
    stdout: () => written.out,
    stderr: () => written.err,
    interrupt(signal = 'SIGINT') {
      for (const listener of listeners) listener(signal)
    },
    exits,
    wait(milliseconds) {
      now += milliseconds
    },
  }
}
