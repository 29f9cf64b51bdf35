import { setImmediate, setTimeout } from 'node:timers/promises'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

/** Numbers that all threads share. */
const KEY = 'touchstone: stopping'

/** 1 once the process is asked to stop. */
const STOP = 0
/** Calls of native code under way. */
const NATIVE = 1
/** Threads that forbid new calls of native code. */
const CLOSED = 2

const flags = shared()

function shared(): Int32Array {
  const existing = getEnvironmentData(KEY)
  if (existing instanceof SharedArrayBuffer) return new Int32Array(existing)
  const memory = new SharedArrayBuffer(12)
  // A worker of a foreign process has a flag of its own, which nobody sets.
  if (isMainThread) setEnvironmentData(KEY, memory)
  return new Int32Array(memory)
}

/** Thrown out of stopped work: nobody's error. */
export class Stopped extends Error {
  constructor() {
    super('stopped on request')
    this.name = 'Stopped'
  }
}

/** Asks all threads to stop, or takes that back for the next command. */
export function requestStop(stop: boolean): void {
  Atomics.store(flags, STOP, stop ? 1 : 0)
}

export function isStopping(): boolean {
  return Atomics.load(flags, STOP) !== 0
}

/** True if `signal` or the flag asks to stop; a thread sees the flag before its event loop turns. */
export function wasStopped(signal: AbortSignal): boolean {
  return signal.aborted || isStopping()
}

export function throwIfStopping(): void {
  if (isStopping()) throw new Stopped()
}

/** Milliseconds of work after which signals are listened to. */
const WORK = 100
let listened = 0

/** Hears signals in the middle of long work. Throws `Stopped` after one. */
export async function listen(): Promise<void> {
  const now = performance.now()
  if (now - listened >= WORK) {
    await setImmediate()
    listened = performance.now()
  }
  throwIfStopping()
}

/** Milliseconds after which a native call counts as lost with its thread. */
const LOST = 2000

/** A thread that ends inside native code aborts the process. */
export async function native<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    Atomics.add(flags, NATIVE, 1)
    try {
      if (Atomics.load(flags, CLOSED) === 0) return await call()
    } finally {
      Atomics.sub(flags, NATIVE, 1)
    }
    await setTimeout(1)
  }
}

/** Runs `end`, which ends threads, while no thread is inside `native`. */
export async function outsideNative<T>(end: () => Promise<T> | T): Promise<T> {
  Atomics.add(flags, CLOSED, 1)
  try {
    const begun = performance.now()
    while (Atomics.load(flags, NATIVE) > 0 && performance.now() - begun < LOST) await setTimeout(1)
    return await end()
  } finally {
    Atomics.sub(flags, CLOSED, 1)
  }
}
