import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../types.ts'

/** A running system, spoken to in lines of JSON. Its handles keep no process alive; a wait for an answer does. */
export interface Connection {
  send(message: Json): void
  /** The next line. Rejects with words when the system ends, or says nothing for `timeout` milliseconds. */
  line(timeout: number): Promise<string>
  /** True if the process has ended. */
  ended(): boolean
  /** Closes its input; a moment later it is killed. */
  close(): void
  /** Ends it at once. */
  kill(): void
}

/** Number of last characters of a system's stderr in messages. */
const LAST_WORDS = 2000
/** A longer line is no answer. */
const LONGEST_LINE = 64 * 2 ** 20
/** Milliseconds to wait for a process's last output after its end. */
const LATE = 300

/** Starts `command` (a program and its words, no shell) under a guard that ends it when this process or thread ends. */
export function connect(command: readonly string[]): Connection {
  const guard = fork(fileURLToPath(new URL('./guard.js', import.meta.url)), [...command], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    // A signal to this process group must not kill the guard before the system.
    detached: true,
    execArgv: [],
  })
  const lines: string[] = []
  let rest = ''
  let words = ''
  let end: string | undefined
  let fate = 'ended'
  let waiting: { resolve(line: string): void; reject(error: Error): void } | undefined

  function finish(how: string): void {
    end ??= words.trim() === '' ? how : `${how}; its last output: ${words.trim()}`
    waiting?.reject(new Error(end))
    waiting = undefined
  }

  guard.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const pieces = (rest + text).split('\n')
    rest = pieces.pop() as string
    if (rest.length > LONGEST_LINE) {
      guard.send('kill')
      finish('wrote a line without end')
    }
    lines.push(...pieces)
    if (waiting && lines.length > 0) {
      waiting.resolve(lines.shift() as string)
      waiting = undefined
    }
  })
  guard.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS)
  })
  guard.stdin?.on('error', () => {
    // It ended, and its exit is reported.
  })
  guard.on('message', (message: { error?: string; code?: number | null; signal?: string | null }) => {
    if (message.error !== undefined)
      fate =
        message.error === 'ENOENT'
          ? 'cannot be started: there is no such command'
          : `cannot be started: ${message.error}`
    else fate = message.signal ? `was ended by ${message.signal}` : `ended with code ${message.code}`
  })
  guard.on('error', ({ message }) => finish(`cannot be started: ${message}`))
  guard.on('exit', () => setTimeout(() => finish(fate), LATE).unref())
  guard.on('close', () => finish(fate))
  for (const handle of [guard, guard.channel, guard.stdin, guard.stdout, guard.stderr])
    (handle as { unref?(): void } | null | undefined)?.unref?.()

  return {
    send(message) {
      if (end === undefined) guard.stdin?.write(`${JSON.stringify(message)}\n`)
    },
    line(timeout) {
      const known = lines.shift()
      if (known !== undefined) return Promise.resolve(known)
      if (end !== undefined) return Promise.reject(new Error(end))
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting = undefined
          reject(new Error(`gave no answer within ${timeout / 1000} s`))
        }, timeout)
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer)
            settle(value)
          }
        waiting = { resolve: settled(resolve), reject: settled(reject) }
      })
    },
    ended: () => end !== undefined,
    close() {
      guard.stdin?.end()
      if (guard.connected) guard.disconnect()
    },
    kill() {
      if (guard.connected) guard.send('kill', () => {})
      finish('was ended')
    },
  }
}
