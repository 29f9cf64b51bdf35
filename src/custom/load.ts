import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { execPath, versions } from 'node:process'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { z } from 'zod'
import { UserError } from '../errors.ts'
import { hashFile } from '../store/input.ts'
import { fieldComplaint, withArticle } from '../text/schema-words.ts'
import { codeLocation, createGuard, diagnosticIn, type Guard, TIMEOUT } from './guard.ts'

const IMPORT = `const { parentPort, workerData } = require('node:worker_threads')
import(workerData).then(
  () => parentPort.postMessage({}),
  (error) => parentPort.postMessage({ message: String(error?.message ?? error), stack: String(error?.stack) }),
)`

/**
 * Imports a custom file in a thread first, since an endless loop or `process.exit` would take the process along. Throws a UserError
 * with the place in the file.
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
      throw fail(
        `could not be loaded: ${message}${wayOut(message)}`,
        codeLocation(path, `${stack}\n${syntaxError(path)}`),
      )
  } catch (error) {
    if (late.signal.aborted) throw fail(`was not imported within ${seconds} s`)
    if (error instanceof UserError) throw error
    throw fail(`could not be loaded: ${error instanceof Error ? error.message : error}`)
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}

function wayOut(message: string): string {
  if (/extension "\.m?ts"/.test(message))
    return `; Node ${versions.node} reads no TypeScript: use Node 22.18 or later, or compile the file to .mjs`
  if (/import statement outside a module|Unexpected token 'export'/.test(message))
    return '; name the file .mjs or .mts, or write "type": "module" into its package.json'
  return ''
}

/** Node's syntax error of the file with its line, which a failed import does not report. */
function syntaxError(path: string): string {
  return spawnSync(execPath, ['--check', path], { encoding: 'utf8' }).stderr
}

export interface CustomKind<D> {
  readonly word: string
  readonly example: string
  /** Handed to a default export that is a function. */
  toolkit(guard: Guard, file: CustomFile): unknown
  readonly schema: z.ZodObject
  define(exported: object, guard: Guard, file: CustomFile): D
}

export type CustomFile = {
  /** Absolute. */
  readonly path: string
  /** SHA-256 of its bytes: what keys hold of it. */
  readonly sha256: string
}

export type ReadFile = CustomFile & {
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
  readonly reads?: Readonly<Record<string, string>>
}

/**
 * Loads the default export of the file at `path` (absolute): a definition, or a function that makes it from a toolkit. Throws a UserError
 * if its hash is no longer `hash`.
 */
export async function loadCustom<D>(path: string, kind: CustomKind<D>, hash?: string): Promise<D> {
  const { word } = kind
  const noun = withArticle(word)
  const fail = (message: string) => new UserError(message, path)
  if (hash !== undefined && hashFile(path, noun) !== hash)
    throw fail('was changed since the config was read; run it again')
  if (!statSync(path).isFile()) throw fail(`is not a file; name the file that exports the ${word}`)
  // A file with a known hash was tried out when it was hashed.
  if (hash === undefined) await tryOut(path)
  const file = { path, sha256: hashFile(path) }
  const guard = createGuard(path)
  let exported: unknown
  try {
    exported = (await import(pathToFileURL(path).href)).default
    if (typeof exported === 'function') {
      const make = exported
      const toolkit = await kind.toolkit(guard, file)
      const made = guard.call('the default export', () => make(toolkit))
      exported = await guard.wait('the default export', Promise.resolve(made))
    }
  } catch (error) {
    throw diagnosticIn(path, 'could not be loaded', error)
  }
  if (exported === undefined) throw fail(`has no default export; ${noun} is \`${kind.example}\``)
  if (!exported || typeof exported !== 'object') throw fail(`the default export is not ${noun}`)
  const checked = kind.schema.safeParse(exported)
  if (!checked.success) {
    const keys = Object.keys(kind.schema.shape)
    const problems = checked.error.issues.map((issue) => fieldComplaint(issue, exported, keys))
    throw fail(`the default export is not ${noun}: ${problems.join('; ')}`)
  }
  return kind.define(exported, guard, file)
}
