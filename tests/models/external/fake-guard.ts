import child from 'node:child_process'
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, vi } from 'vitest'

/** The guard's process, in this one. */
export class FakeGuard extends EventEmitter {
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly channel = { unref: vi.fn() }
  readonly sent: unknown[] = []
  readonly unref = vi.fn()
  connected = true
  readonly file: string
  readonly words: readonly string[]
  readonly options: object
  constructor(file: string, words: readonly string[], options: object) {
    super()
    this.file = file
    this.words = words
    this.options = options
  }
  send(message: unknown) {
    this.sent.push(message)
  }
  disconnect() {
    this.connected = false
  }
}
/** Lets the tests of a file start guards that are no processes; each one is handed over. */
export function useFakeGuards(started: (guard: FakeGuard) => void): void {
  beforeAll(() => {
    vi.spyOn(child, 'fork').mockImplementation(((file: string, words: readonly string[], options: object) => {
      const guard = new FakeGuard(file, words, options)
      started(guard)
      return guard
    }) as never)
    syncBuiltinESMExports()
  })
  afterAll(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
}
