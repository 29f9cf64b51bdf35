import {
  getEnvironmentData,
  isMainThread,
  type MessagePort,
  parentPort,
  setEnvironmentData,
  threadId,
} from 'node:worker_threads'

/**
 * The command line runs a command in its own thread, so that the main thread hears signals. The command's threads
 * inherit its number.
 */
const KEY = "touchstone: the command's thread"

/** Declares that this thread runs a command. */
export function becomeCommandThread(): void {
  setEnvironmentData(KEY, threadId)
}

/** True in the command's thread, or in the main thread if a program calls the library. */
export function isCoordinator(): boolean {
  const thread = getEnvironmentData(KEY)
  return thread === undefined ? isMainThread : thread === threadId
}

/** Address of a file that the build makes. Sources that tests run use it too. */
export function builtUrl(path: string): URL {
  return new URL(`../dist/${path}`, import.meta.url)
}

/** Port to the main thread; null unless this thread runs a command. */
export function supervisor(): MessagePort | null {
  return getEnvironmentData(KEY) === threadId ? parentPort : null
}
