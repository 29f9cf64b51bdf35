import { closeSync, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Diagnostic, UserError } from '../errors.ts'
import { diskError, makeFolder, writeWhole } from './write.ts'

/** Kind of file that a command writes. Only a file with its beginning is overwritten. */
export interface OutputKind {
  /** Name with its article, such as "a report of touchstone". */
  readonly name: string
  /** True for the first characters of a file that the same command wrote. */
  isOwn(beginning: string): boolean
}

/** Never overwritten. */
export const NEW_FILE = null

export interface Output {
  readonly path: string
  readonly kind: OutputKind | typeof NEW_FILE
}

/** Throws a UserError for every path that a command may not write. Called before any work, and again before writing. */
export function requireOutputs(outputs: readonly Output[]): void {
  const diagnostics = outputs.flatMap(({ path, kind }, index): Diagnostic[] => {
    const twice = outputs.findIndex((other) => other.path === path) < index
    const message = twice ? 'is named for two outputs; name two files' : problemOf(path, kind)
    return message === undefined ? [] : [{ file: path, message }]
  })
  if (diagnostics.length > 0) throw new UserError(diagnostics)
}

/** Writes content to a path that a user named: completely or not at all. Creates missing folders. */
export function writeOutput(path: string, content: string | Uint8Array, kind: Output['kind']): void {
  requireOutputs([{ path, kind }])
  try {
    makeFolder(dirname(path))
    writeWhole(path, content)
  } catch (error) {
    throw diskError(error) ?? error
  }
}

/** Throws a UserError unless a folder is new or empty. Returns true if it exists. */
export function requireOutputFolder(path: string): boolean {
  const fail = (problem: string) => new UserError(`${problem}; name a new folder`, path)
  const stats = statsOf(path)
  if (stats?.isSymbolicLink()) throw fail('is a link')
  if (stats && !stats.isDirectory()) throw fail('is a file')
  if (stats && readdirSync(path).length > 0) throw fail('is there and not empty')
  const above = stats ? undefined : problemAbove(dirname(path))
  if (above !== undefined) throw new UserError(above, path)
  return stats !== undefined
}

function problemOf(path: string, kind: Output['kind']): string | undefined {
  const stats = statsOf(path)
  if (stats === undefined) return problemAbove(dirname(path))
  // Renaming over a link would destroy it.
  if (stats.isSymbolicLink()) return 'is a link; name the file itself'
  if (kind === NEW_FILE) return 'is there already; delete it, or name another file'
  if (stats.isDirectory()) return 'is a folder; name a file'
  if (stats.isFile() && (stats.size === 0 || kind.isOwn(beginningOf(path)))) return undefined
  return `exists and is not ${kind.name}; name another file`
}

function problemAbove(folder: string): string | undefined {
  const stats = statsOf(folder)
  if (stats === undefined) return problemAbove(dirname(folder))
  const target = statSync(folder, { throwIfNoEntry: false })
  if (target === undefined) return `is below ${folder}, which is a link to nothing; use another path`
  return target.isDirectory() ? undefined : `is below ${folder}, which is no folder; use another path`
}

function statsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw diskError(error) ?? error
  }
}

function beginningOf(file: string): string {
  const bytes = Buffer.alloc(1000)
  const descriptor = openSync(file, 'r')
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}
