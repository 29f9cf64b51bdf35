import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { UserError } from '../errors.ts'
import { sha256File } from '../store/hash.ts'
import { createGuard, type Guard } from './guard.ts'
import { placeIn } from './place.ts'
import { tryOut } from './try-out.ts'

/** What a user's own file may define. */
export interface OwnKind<D> {
  readonly word: string
  /** What the file says, in short. */
  readonly example: string
  /** Handed to a default export that is a function; `code` is the file's hash. */
  toolkit(guard: Guard, code: string): unknown
  /** What an export lacks to be one, in words. */
  lacks(found: Readonly<Record<string, unknown>>): readonly string[]
  /** The definition, its calls guarded; `path` is the file's. */
  define(exported: object, guard: Guard, path: string): D
}

/**
 * Loads what the file at `path` (absolute) exports as its default: the definition itself, or a function that makes it
 * from a toolkit and so needs no import, so that the file may lie anywhere. The file's code is run.
 */
export async function loadOwn<D>(path: string, kind: OwnKind<D>): Promise<D> {
  const { word } = kind
  const fail = (message: string, place = {}) => new UserError({ file: path, ...place, message })
  if (!statSync(path).isFile()) throw fail(`is not a file; name the file that exports the ${word}`)
  await tryOut(path)
  const guard = createGuard(path)
  let exported: unknown
  try {
    exported = (await import(pathToFileURL(path).href)).default
    if (typeof exported === 'function') {
      const make = exported
      const made = guard.call('the default export', () => make(kind.toolkit(guard, sha256File(path))))
      exported = await guard.wait('the default export', Promise.resolve(made))
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    if (!(error instanceof Error)) throw fail(`could not be loaded: ${error}`)
    throw fail(`could not be loaded: ${error.message}`, placeIn(path, error.stack))
  }
  if (exported === undefined) throw fail(`has no default export; a ${word} is \`${kind.example}\``)
  if (!exported || typeof exported !== 'object') throw fail(`the default export is not a ${word}`)
  const lacking = kind.lacks(exported as Readonly<Record<string, unknown>>)
  if (lacking.length > 0) throw fail(`the default export is not a ${word}: it lacks ${lacking.join(', ')}`)
  return kind.define(exported, guard, path)
}
