import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { UserError } from '../errors.ts'
import { TIMEOUT } from './guard.ts'
import { codeLocation } from './location.ts'

/** Imports the file that it is given, and says what came of it. */
const IMPORT = `const { parentPort, workerData } = require('node:worker_threads')
import(workerData).then(
  () => parentPort.postMessage({}),
  (error) => parentPort.postMessage({ message: String(error?.message ?? error), stack: String(error?.stack) }),
)`

/**
 * Imports somebody's file in a thread of its own first, which can be ended: a loop without end or `process.exit` in it
 * would take the whole process with it. Throws a UserError, with the place in the file, where it cannot be imported.
 */
export async function tryOut(path: string, seconds = TIMEOUT): Promise<void> {
  const fail = (message: string, location = {}) => new UserError({ file: path, ...location, message })
  const thread = new Worker(IMPORT, {
    eval: true,
    // How this process was started, as from standard input, does not concern it.
    execArgv: [],
    workerData: pathToFileURL(path).href,
    stdout: true,
    stderr: true,
  })
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), 1000 * seconds)
  try {
    const [said] = await Promise.race([
      once(thread, 'message', { signal: late.signal }),
      once(thread, 'exit').then(([code]) => {
        throw fail(`ended with code ${code} while it was imported; such a file may only export`)
      }),
    ])
    const { message, stack } = said as { message?: string; stack?: string }
    if (message !== undefined)
      throw fail(`could not be loaded: ${message}`, codeLocation(path, `${stack}\n${syntaxError(path)}`))
  } catch (error) {
    if (late.signal.aborted) throw fail(`was not imported within ${seconds} s`)
    if (error instanceof UserError) throw error
    throw fail(`could not be loaded: ${error instanceof Error ? error.message : error}`)
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}

/** What Node says of the file's syntax, with its line: an import that fails does not. */
function syntaxError(path: string): string {
  return spawnSync(execPath, ['--check', path], { encoding: 'utf8' }).stderr
}
