import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import workerThreads from 'node:worker_threads'
import { Tinypool } from 'tinypool'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { UserError } from '../../../src/errors.ts'
import { graceAfter } from '../../../src/experiment/executors/executor.ts'
import { threads } from '../../../src/experiment/executors/threads.ts'
import { FORMAT } from '../../../src/results/format.ts'
import { temporaryFolder } from '../../temporary.ts'

/** Ends of work on threads. Other tests run shards on them; here a shard's outcome is made up. */

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const outOfMemory = Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })

/** Runs shards whose outcome `outcomeOf` gives. */
async function run(
  shards: number[],
  outcomeOf: (shard: number, pool: Tinypool) => unknown,
  { workers = 2, folder = '/none' } = {},
) {
  const asked: number[] = []
  const lanes: number[] = []
  vi.spyOn(Tinypool.prototype, 'run').mockImplementation(async function (this: Tinypool, shard: number) {
    asked.push(shard)
    lanes.push(this.threads.length)
    await new Promise((later) => setTimeout(later, 1))
    return outcomeOf(shard, this)
  })
  const done: number[] = []
  const { signal } = new AbortController()
  const error: Error | undefined = await threads(workers)
    .run(folder, shards, ({ shard }) => done.push(shard), signal)
    .then(
      () => undefined,
      (failed) => failed,
    )
  return { asked, done, error, lanes: Math.max(0, ...lanes) }
}

describe('shards on threads', () => {
  test('run on no more threads than there are shards', async () => {
    const { asked, done, lanes } = await run([3, 1], (shard) => ({ shard }), { workers: 5 })
    expect([asked, done, lanes]).toEqual([[3, 1], [3, 1], 2])
    expect((await run([], () => undefined)).asked).toEqual([])
  })

  test("a user's mistake keeps its diagnostics, and no further shard begins", async () => {
    const diagnostics = [{ file: 'a.yaml', line: 2, message: 'is wrong' }]
    const { asked, done, error } = await run([0, 1, 2, 3], (shard) =>
      shard === 0 ? { diagnostics } : { shard },
    )
    expect(error).toBeInstanceOf(UserError)
    expect((error as UserError).diagnostics).toEqual(diagnostics)
    expect(asked).toEqual([0, 1])
    expect(done.length).toBeLessThanOrEqual(1)
  })

  test('a thread that was stopped reports nothing', async () => {
    const { asked, done, error } = await run([0, 1], () => 'stopped', { workers: 1 })
    expect([asked, done, error]).toEqual([[0], [], undefined])
  })

  test.each([
    [2, 'try fewer --workers than 2, a smaller --shard-size, or NODE_OPTIONS=--max-old-space-size'],
    [1, 'try a smaller --shard-size, or NODE_OPTIONS=--max-old-space-size'],
  ])('of %i workers one runs out of memory', async (workers, advice) => {
    const { asked, error } = await run([0, 1, 2, 3], () => Promise.reject(outOfMemory), { workers })
    expect(error).toBeInstanceOf(UserError)
    expect(error?.message).toContain(`a worker ran out of memory; ${advice}`)
    expect(asked).toHaveLength(workers)
  })

  test('a bug is shown as it is', async () => {
    const bug = new TypeError('a bug')
    expect((await run([0], () => Promise.reject(bug))).error).toBe(bug)
  })

  const never = new Promise(() => {})
  const planned = (trials: object[]) =>
    temporaryFolder({ 'plan.json': JSON.stringify({ format: FORMAT, hash: 'a', experiment: { trials } }) })

  test('a thread that ends is named by the own files that may have ended it', async () => {
    const end = (_: number, pool: Tinypool) => {
      ;(pool.threads[0] as unknown as EventEmitter).emit('exit', 3)
      return never
    }
    const own = [
      { strategy: 'mine.ts', sha256: 'x' },
      { strategy: 'bm25' },
      { strategy: 'mine.ts', sha256: 'x' },
    ]
    const { error } = await run([0], end, { folder: planned(own) })
    expect((error as UserError).diagnostics).toEqual([
      {
        file: 'mine.ts',
        message: expect.stringMatching(/^a worker ended with code 3: does this file end the process\?/),
      },
    ])
    const bug = (await run([0], end, { folder: planned([{ strategy: 'bm25' }]) })).error
    expect(bug).toEqual(new Error('a worker ended with code 3 before its work was done'))
  })

  test('an error between two shards ends the run', async () => {
    const lost = new Error('nobody heard it')
    const { error } = await run([0], (_, pool) => {
      pool.emit('error', lost)
      return never
    })
    expect(error).toBe(lost)
  })
})

describe('writing rows', () => {
  /** A thread that sends these events. */
  async function write(...events: [name: string, value: unknown][]) {
    const started: unknown[] = []
    class FakeWorker extends EventEmitter {
      constructor(...given: unknown[]) {
        super()
        started.push(given)
        setImmediate(() => {
          for (const [name, value] of events) this.emit(name, value)
        })
      }
    }
    const before = workerThreads.Worker
    Object.assign(workerThreads, { Worker: FakeWorker })
    syncBuiltinESMExports()
    const writing = threads(1).writeRows?.({ folder: 'a' } as never)
    Object.assign(workerThreads, { Worker: before })
    syncBuiltinESMExports()
    const error = await writing?.then(
      () => undefined,
      (failed: unknown) => failed,
    )
    expect(started).toEqual([[expect.any(URL), { workerData: { folder: 'a' }, execArgv: [] }]])
    return error
  }

  test('ends with the message of the thread', async () => {
    expect(await write(['message', { diagnostics: [] }], ['exit', 0])).toBeUndefined()
    const full = await write(['message', { diagnostics: [{ file: 'a', message: 'disk full' }] }], ['exit', 0])
    expect(full).toEqual(new UserError([{ file: 'a', message: 'disk full' }]))
  })

  test('a thread that ends without one is an error', async () => {
    expect(await write(['exit', 5])).toEqual(new Error('the thread that writes the rows ended with code 5'))
    const bug = new TypeError('a bug')
    expect(await write(['error', bug])).toBe(bug)
    const memory = await write(['error', outOfMemory])
    expect(memory).toBeInstanceOf(UserError)
    expect((memory as Error).message).toMatch(
      /^the thread that writes the rows ran out of memory; try NODE_OPT/,
    )
  })
})

test('work in progress has three seconds after a request to stop', () => {
  vi.useFakeTimers()
  const stop = new AbortController()
  const late = graceAfter(stop.signal)
  vi.advanceTimersByTime(10_000)
  expect(late.aborted).toBe(false)
  stop.abort()
  vi.advanceTimersByTime(2999)
  expect(late.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(late.aborted).toBe(true)
})
