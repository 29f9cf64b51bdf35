import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { hashFile } from '../store/input.ts'
import { didYouMean } from '../text/nearest.ts'

export const aFunction = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
)

const paths = z.array(z.string().min(1))

/** Schema of the files that a definition reads: paths relative to its own file, or a function from params to paths. */
export const readsSchema = z.union([paths, aFunction])

export type Reads<P> = readonly string[] | ((params: P) => readonly string[])

/** SHA-256 of each file that a definition says it reads, by the path as given: part of every key. */
export function hashReads<P>(
  file: { readonly path: string },
  reads: Reads<P> | undefined,
  params: P,
): Readonly<Record<string, string>> {
  const list = paths.safeParse(typeof reads === 'function' ? reads(params) : (reads ?? []))
  if (!list.success) throw new UserError('`files` must give a list of paths, as ["names.json"]', file.path)
  return Object.fromEntries(
    list.data.map((path) => [path, hashFile(resolve(dirname(file.path), path), `files of ${file.path}`)]),
  )
}

/** Words for keys that a definition may not have: a key without effect would be a silent error. */
export function unknownKeys(definition: object, keys: readonly string[]): string[] {
  return Object.keys(definition)
    .filter((key) => !keys.includes(key))
    .map((key) => `unknown key \`${key}\`${didYouMean(key, keys)}`)
}
