import { setImmediate } from 'node:timers/promises'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

/**
 * The request to stop, as by Ctrl-C: one flag that all threads of the process read. Native code must not be cut off in the
 * middle of a call, so whoever calls it looks here between two calls.
 */
const KEY = 'touchstone: stopping'

const flag = shared()

function shared(): Int32Array {
  const known = getEnvironmentData(KEY)
  if (known instanceof SharedArrayBuffer) return new Int32Array(known)
  const memory = new SharedArrayBuffer(4)
  // A worker that was started by somebody else's process has a flag of its own, which nobody sets.
  if (isMainThread) setEnvironmentData(KEY, memory)
  return new Int32Array(memory)
}

/** Thrown out of work that was asked to stop: no query's failure and nobody's error. */
export class Stopped extends Error {
  constructor() {
    super('stopped on request')
    this.name = 'Stopped'
  }
}

/** Asks all threads to stop, or takes that back for the next command in this process. */
export function requestStop(stop: boolean): void {
  Atomics.store(flag, 0, stop ? 1 : 0)
}

export function isStopping(): boolean {
  return Atomics.load(flag, 0) !== 0
}

/** True if the work was asked to stop by `signal` or by the flag, which a thread sees before its event loop turns. */
export function wasStopped(signal: AbortSignal): boolean {
  return signal.aborted || isStopping()
}

export function throwIfStopping(): void {
  if (isStopping()) throw new Stopped()
}

/** Milliseconds of work after which signals are listened to. */
const WORK = 100
let listened = 0

/** Lets a signal be heard in the middle of long work. Throws `Stopped` once one was. */
export async function listen(): Promise<void> {
  const now = performance.now()
  if (now - listened >= WORK) {
    await setImmediate()
    listened = performance.now()
  }
  throwIfStopping()
}
