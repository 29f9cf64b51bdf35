import { dirname, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { hashFile } from '../store/input.ts'
import { didYouMean } from '../text/nearest.ts'

/** Files that a definition reads: paths relative to the definition's own file, or a function from params to paths. */
export type Reads<P> = readonly string[] | ((params: P) => readonly string[])

export const READS = 'files (a list of paths, or a function from params to one)'

export function isReads(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || isPaths(value)
}

/** SHA-256 of each file that a definition says it reads, by the path as given: part of every key. */
export function hashReads<P>(
  file: { readonly path: string },
  reads: Reads<P> | undefined,
  params: P,
): Readonly<Record<string, string>> {
  const paths: unknown = typeof reads === 'function' ? reads(params) : (reads ?? [])
  if (!isPaths(paths))
    throw new UserError({ file: file.path, message: '`files` must give a list of paths, as ["names.json"]' })
  return Object.fromEntries(
    paths.map((path) => [path, hashFile(resolve(dirname(file.path), path), `files of ${file.path}`)]),
  )
}

function isPaths(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string' && path !== '')
}

/** Words for every key that a definition may not have: a key without effect would be a silent error. */
export function unknownKeys(found: object, known: readonly string[]): string[] {
  return Object.keys(found)
    .filter((key) => !known.includes(key))
    .map((key) => `unknown key \`${key}\`${didYouMean(key, known)}`)
}
