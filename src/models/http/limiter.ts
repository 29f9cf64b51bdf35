import { throwIfStopping } from '../../stopping.ts'
import type { Clock } from './clock.ts'

/** Limits of a server, or of a budget. */
export interface Limits {
  /** Requests at once. */
  readonly concurrency: number
  /** Requests in any 60 seconds; no limit if absent. */
  readonly requestsPerMinute?: number
  /** Tokens read and written in any 60 seconds. A request counts with its estimate until its response says more. */
  readonly tokensPerMinute?: number
}

interface Limiter {
  /** Waits for a turn, first come first served; the result gives it back, with the tokens that were really used. */
  enter(tokens: number, signal?: AbortSignal): Promise<(used?: number) => void>
  /** Lets nobody in for so long: a server that is too busy for one request is too busy for all. */
  pause(milliseconds: number): void
}

const MINUTE = 60_000

/**
 * Keeps the starts of the last minute (a sliding window): no minute, wherever it begins, holds more requests or tokens
 * than allowed. A request larger than a whole minute's tokens goes alone.
 */
export function createLimiter(limits: Limits, clock: Clock): Limiter {
  const { concurrency, requestsPerMinute = Number.POSITIVE_INFINITY } = limits
  const { tokensPerMinute = Number.POSITIVE_INFINITY } = limits
  const started: { readonly at: number; tokens: number }[] = []
  let heldUntil = Number.NEGATIVE_INFINITY
  let running = 0
  let turn: Promise<unknown> = Promise.resolve()
  let freed = () => {}

  /** Milliseconds until a request of so many tokens may start. */
  function pauseFor(tokens: number): number {
    const now = clock.now()
    while (started.length > 0 && started[0].at + MINUTE <= now) started.shift()
    let sum = started.reduce((all, one) => all + one.tokens, 0)
    let left = started.length
    let free = heldUntil
    for (const one of started) {
      if (left < requestsPerMinute && sum + tokens <= tokensPerMinute) break
      free = Math.max(free, one.at + MINUTE)
      left--
      sum -= one.tokens
    }
    return free - now
  }

  async function admit(tokens: number, signal?: AbortSignal): Promise<(used?: number) => void> {
    for (;;) {
      signal?.throwIfAborted()
      // A request that has not begun is not paid for.
      throwIfStopping()
      if (running >= concurrency) await new Promise<void>((resolve) => (freed = resolve))
      else {
        const pause = pauseFor(tokens)
        if (pause <= 0) break
        await clock.wait(pause, signal)
      }
    }
    running++
    const own = { at: clock.now(), tokens }
    started.push(own)
    return (used = tokens) => {
      own.tokens = used
      running--
      freed()
    }
  }

  return {
    enter(tokens, signal) {
      const mine = turn.then(() => admit(tokens, signal))
      turn = mine.catch(() => {})
      return mine
    },
    pause(milliseconds) {
      heldUntil = Math.max(heldUntil, clock.now() + milliseconds)
    },
  }
}
