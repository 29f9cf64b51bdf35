import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../../src/models/http/clock.ts'
import { createLimiter } from '../../../src/models/http/limiter.ts'

/** A clock that moves to the next waiter whenever everybody waits. */
function simulated() {
  let now = 0
  const waiting: { at: number; wake: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    wait: (milliseconds) =>
      new Promise<void>((wake) => {
        waiting.push({ at: now + milliseconds, wake })
      }),
  }
  async function settle() {
    for (let i = 0; i < 20; i++) await Promise.resolve()
  }
  return {
    clock,
    async runUntilIdle() {
      for (await settle(); waiting.length > 0; await settle()) {
        waiting.sort((a, b) => a.at - b.at)
        const next = waiting.shift()
        now = Math.max(now, next?.at ?? 0)
        next?.wake()
      }
    },
  }
}

const request = fc.record({
  tokens: fc.integer({ min: 1, max: 60 }),
  used: fc.integer({ min: 0, max: 60 }),
  takes: fc.integer({ min: 1, max: 90_000 }),
})

describe('a limiter', () => {
  it('lets no minute hold more requests or tokens than allowed, nor more at once, first come first served', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 25 }),
        fc.record({
          concurrency: fc.integer({ min: 1, max: 4 }),
          requestsPerMinute: fc.integer({ min: 1, max: 5 }),
          tokensPerMinute: fc.integer({ min: 60, max: 150 }),
        }),
        async (requests, limits) => {
          const { clock, runUntilIdle } = simulated()
          const { enter } = createLimiter(limits, clock)
          const seen: { index: number; start: number; end: number; used: number }[] = []
          const all = requests.map(async ({ tokens, used, takes }, index) => {
            const leave = await enter(tokens)
            const start = clock.now()
            await clock.wait(takes)
            // An answer uses what was reserved at most.
            leave(Math.min(used, tokens))
            seen.push({ index, start, end: clock.now(), used: Math.min(used, tokens) })
          })
          await runUntilIdle()
          await Promise.all(all)
          const byStart = [...seen].sort((a, b) => a.start - b.start || a.index - b.index)
          expect(byStart.map(({ index }) => index)).toEqual(requests.map((_, index) => index))
          for (const { start } of seen) {
            const minute = seen.filter((one) => one.start > start - 60_000 && one.start <= start)
            expect(minute.length).toBeLessThanOrEqual(limits.requestsPerMinute)
            expect(minute.reduce((sum, { used }) => sum + used, 0)).toBeLessThanOrEqual(
              limits.tokensPerMinute,
            )
            const under = seen.filter((one) => one.start <= start && one.end > start)
            expect(under.length).toBeLessThanOrEqual(limits.concurrency)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('starts as soon as it may', async () => {
    const { clock, runUntilIdle } = simulated()
    const { enter } = createLimiter({ concurrency: 9, requestsPerMinute: 2 }, clock)
    const starts: number[] = []
    for (let i = 0; i < 5; i++)
      void enter(1).then((leave) => {
        starts.push(clock.now())
        leave()
      })
    await runUntilIdle()
    expect(starts).toEqual([0, 0, 60_000, 60_000, 120_000])
  })

  it('lets a request larger than a minute in, alone', async () => {
    const { clock, runUntilIdle } = simulated()
    const { enter } = createLimiter({ concurrency: 9, tokensPerMinute: 10 }, clock)
    const starts: number[] = []
    for (const tokens of [1, 50, 1])
      void enter(tokens).then((leave) => {
        starts.push(clock.now())
        leave()
      })
    await runUntilIdle()
    expect(starts).toEqual([0, 60_000, 120_000])
  })

  it('keeps the turn of others where one gives up', async () => {
    const { clock } = simulated()
    const { enter } = createLimiter({ concurrency: 9 }, clock)
    const given = AbortSignal.abort(new Error('given up'))
    await expect(enter(1, given)).rejects.toThrow('given up')
    expect(typeof (await enter(1))).toBe('function')
  })
})
