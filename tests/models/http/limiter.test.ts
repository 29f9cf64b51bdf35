import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Clock, createLimiter } from '../../../src/models/http/limiter.ts'

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

const request = fc.record({ takes: fc.integer({ min: 1, max: 90_000 }) })

describe('a limiter', () => {
  it('lets no minute hold more requests than allowed, nor more at once, first come first served', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 25 }),
        fc.record({
          concurrency: fc.integer({ min: 1, max: 4 }),
          requestsPerMinute: fc.integer({ min: 1, max: 5 }),
        }),
        async (requests, limits) => {
          const { clock, runUntilIdle } = simulated()
          const { enter } = createLimiter(limits, clock)
          const seen: { index: number; start: number; end: number }[] = []
          const all = requests.map(async ({ takes }, index) => {
            const leave = await enter()
            const start = clock.now()
            await clock.wait(takes)
            leave()
            seen.push({ index, start, end: clock.now() })
          })
          await runUntilIdle()
          await Promise.all(all)
          const byStart = [...seen].sort((a, b) => a.start - b.start || a.index - b.index)
          expect(byStart.map(({ index }) => index)).toEqual(requests.map((_, index) => index))
          for (const { start } of seen) {
            const minute = seen.filter((call) => call.start > start - 60_000 && call.start <= start)
            expect(minute.length).toBeLessThanOrEqual(limits.requestsPerMinute)
            const under = seen.filter((call) => call.start <= start && call.end > start)
            expect(under.length).toBeLessThanOrEqual(limits.concurrency)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
