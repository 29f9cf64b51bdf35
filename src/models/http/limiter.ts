import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { throwIfStopping } from '../../stopping.ts'

/** An argument, so that no test sleeps. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number
  /** Rejects where `signal` is aborted first. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<unknown>
}

export const realClock = {
  now: () => performance.now(),
  /** ISO date, UTC. */
  date: () => new Date(performance.timeOrigin + performance.now()).toISOString().slice(0, 10),
  wait: (milliseconds: number, signal?: AbortSignal) => setTimeout(milliseconds, undefined, { signal }),
} satisfies Clock & { date(): string }

export interface Limits {
  /** Requests at once. */
  readonly concurrency: number
  /** Requests in any 60 seconds; no limit if absent. */
  readonly requestsPerMinute?: number
}

interface Limiter {
  /** Waits for a turn, first come first served; the result gives it back. */
  enter(signal?: AbortSignal): Promise<() => void>
  /** Lets nobody in: a server that is too busy for one request is too busy for all. */
  pause(milliseconds: number): void
}

const MINUTE = 60_000

/** Keeps the starts of the last minute: no minute, wherever it begins, has more requests than allowed. */
export function createLimiter(limits: Limits, clock: Clock): Limiter {
  const { concurrency, requestsPerMinute = Number.POSITIVE_INFINITY } = limits
  const started: number[] = []
  let heldUntil = Number.NEGATIVE_INFINITY
  let running = 0
  let turn: Promise<unknown> = Promise.resolve()
  let freed = () => {}

  function pauseBefore(): number {
    const now = clock.now()
    while (started.length > 0 && started[0] + MINUTE <= now) started.shift()
    const isFull = started.length >= requestsPerMinute
    return Math.max(heldUntil, isFull ? started[started.length - requestsPerMinute] + MINUTE : now) - now
  }

  async function admit(signal?: AbortSignal): Promise<() => void> {
    for (;;) {
      signal?.throwIfAborted()
      throwIfStopping()
      if (running >= concurrency) await new Promise<void>((resolve) => (freed = resolve))
      else {
        const pause = pauseBefore()
        if (pause <= 0) break
        await clock.wait(pause, signal)
      }
    }
    running++
    started.push(clock.now())
    return () => {
      running--
      freed()
    }
  }

  return {
    enter(signal) {
      const mine = turn.then(() => admit(signal))
      turn = mine.catch(() => {})
      return mine
    },
    pause(milliseconds) {
      heldUntil = Math.max(heldUntil, clock.now() + milliseconds)
    },
  }
}
