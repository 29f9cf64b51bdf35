import { Tinypool } from 'tinypool'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { UserError } from '../../../src/errors.ts'
import { graceAfter } from '../../../src/experiment/executors/executor.ts'
import { threads } from '../../../src/experiment/executors/threads.ts'

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

  test.each([
    [2, 'try fewer --workers than 2, a smaller --shard-size, or NODE_OPTIONS=--max-old-space-size'],
    [1, 'try a smaller --shard-size, or NODE_OPTIONS=--max-old-space-size'],
  ])('of %i workers one runs out of memory', async (workers, advice) => {
    const { asked, error } = await run([0, 1, 2, 3], () => Promise.reject(outOfMemory), { workers })
    expect(error).toBeInstanceOf(UserError)
    expect(error?.message).toContain(`a worker ran out of memory; ${advice}`)
    expect(asked).toHaveLength(workers)
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
