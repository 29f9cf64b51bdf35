import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { UserError } from '../errors.ts'
import { hashFile } from '../store/input.ts'
import { withArticle } from '../text/article.ts'
import { unknownKeys } from './files.ts'
import { createGuard, type Guard } from './guard.ts'
import { diagnosticIn } from './location.ts'
import { tryOut } from './try-out.ts'

/** What a user's own file may define. */
export interface CustomKind<D> {
  readonly word: string
  /** What the file says, in short. */
  readonly example: string
  /** Handed to a default export that is a function. */
  toolkit(guard: Guard, file: CustomFile): unknown
  /** What an export lacks to be one, in words. */
  lacks(found: Readonly<Record<string, unknown>>): readonly string[]
  /** Keys that one may have. */
  readonly keys: readonly string[]
  /** The definition, its calls guarded. */
  define(exported: object, guard: Guard, file: CustomFile): D
}

/** A file of somebody's own, as plain data. */
export type CustomFile = {
  /** Absolute. */
  readonly path: string
  /** SHA-256 of its bytes: what keys hold of it. */
  readonly sha256: string
}

/**
 * Loads what the file at `path` (absolute) exports as its default: the definition itself, or a function that makes it
 * from a toolkit and so needs no import, so that the file may lie anywhere. The file's code is run. Throws a UserError
 * where it no longer has the hash `known`.
 */
export async function loadCustom<D>(path: string, kind: CustomKind<D>, known?: string): Promise<D> {
  const { word } = kind
  const one = withArticle(word)
  const fail = (message: string) => new UserError({ file: path, message })
  if (known !== undefined && hashFile(path, one) !== known)
    throw fail('was changed since the config was read; run it again')
  if (!statSync(path).isFile()) throw fail(`is not a file; name the file that exports the ${word}`)
  // A file whose hash is known was tried out when that was taken.
  if (known === undefined) await tryOut(path)
  const file = { path, sha256: hashFile(path) }
  const guard = createGuard(path)
  let exported: unknown
  try {
    exported = (await import(pathToFileURL(path).href)).default
    if (typeof exported === 'function') {
      const make = exported
      const made = guard.call('the default export', () => make(kind.toolkit(guard, file)))
      exported = await guard.wait('the default export', Promise.resolve(made))
    }
  } catch (error) {
    throw diagnosticIn(path, 'could not be loaded', error)
  }
  if (exported === undefined) throw fail(`has no default export; ${one} is \`${kind.example}\``)
  if (!exported || typeof exported !== 'object') throw fail(`the default export is not ${one}`)
  const lacking = kind.lacks(exported as Readonly<Record<string, unknown>>)
  if (lacking.length > 0) throw fail(`the default export is not ${one}: it lacks ${lacking.join(', ')}`)
  const unknown = unknownKeys(exported, kind.keys)
  if (unknown.length > 0)
    throw fail(
      `the default export has an ${unknown.join(', an ')}; keys of ${one} are ${kind.keys.join(', ')}`,
    )
  return kind.define(exported, guard, file)
}
