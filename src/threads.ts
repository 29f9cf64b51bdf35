import {
  getEnvironmentData,
  isMainThread,
  type MessagePort,
  parentPort,
  setEnvironmentData,
  threadId,
} from 'node:worker_threads'

/**
 * The command line runs a command in a thread of its own, so that the main thread hears a signal at any moment. Threads that
 * the command starts inherit the number of its thread.
 */
const KEY = "touchstone: the command's thread"

/** Declares that this thread runs a command, for a main thread that listens to `supervisor()`. */
export function becomeCommandThread(): void {
  setEnvironmentData(KEY, threadId)
}

/** True in the thread that coordinates the work: the command's, or the main thread if a program calls the library. */
export function isCoordinator(): boolean {
  const thread = getEnvironmentData(KEY)
  return thread === undefined ? isMainThread : thread === threadId
}

/** Address of a file that the build makes: scripts of threads and pages. Sources that tests run use the same files. */
export function builtUrl(path: string): URL {
  return new URL(`../dist/${path}`, import.meta.url)
}

/** The port to the main thread; null unless this thread runs a command. */
export function supervisor(): MessagePort | null {
  return getEnvironmentData(KEY) === threadId ? parentPort : null
}
