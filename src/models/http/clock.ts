import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

/** Clock of requests: an argument, so that no test sleeps. */
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
