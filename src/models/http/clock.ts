import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

/** Clock of requests: an argument, so that no test sleeps. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number
  /** Rejects where `signal` is aborted first. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<unknown>
}

export const realClock: Clock = {
  now: () => performance.now(),
  wait: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
}
