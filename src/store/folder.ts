import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import { hashOf, sha256File } from './hash.ts'
import { diskError, makeFolder, removeFolder, writerOf, writeWhole } from './write.ts'

/** File at a store's root; everything below it in the store's layout is touchstone's. */
export const MARKER = 'touchstone-store'

const TEXT = `This folder is a store of touchstone: prepared tables, indexes and vectors, by content.
\`touchstone clean\` removes what no experiment needs. Without this file it removes nothing.
`

/**
 * Marks a new or empty folder, or a store of a version without markers. Throws a UserError if it contains anything
 * else.
 */
export function markStore(root: string): void {
  if (isMarked(root)) return
  requirePlace(root)
  const stats = statSync(root, { throwIfNoEntry: false })
  const link = !stats && lstatSync(root, { throwIfNoEntry: false })
  if (link || (stats && !stats.isDirectory()))
    throw new UserError(
      `${link ? 'is a link to nothing' : 'is a file'}; name a new or empty folder with --store`,
      root,
    )
  try {
    makeFolder(root)
    const entries = readdirSync(root).filter((name) => !writerOf(name))
    // Checked again: another process may have created the store meanwhile.
    if (entries.length > 0 && listEntries(root).length === 0 && !isMarked(root))
      throw new UserError(
        `is not a store of touchstone and contains ${entries.slice(0, 3).join(', ')}; name a new or empty folder with --store`,
        root,
      )
    writeWhole(join(root, MARKER), TEXT)
  } catch (error) {
    // A read-only store can still be read.
    if (error instanceof UserError || !diskError(error)) throw error
  }
}

export function requireStore(root: string): void {
  const fail = (message: string) => new UserError(message, root)
  const stats = lstatSync(root, { throwIfNoEntry: false })
  if (!stats) throw fail('there is no such folder')
  if (stats.isSymbolicLink()) throw fail(`is a link; name the folder itself: ${shownTarget(root)}`)
  if (!stats.isDirectory()) throw fail('is not a folder')
  requirePlace(root)
  if (isMarked(root)) return
  throw fail(
    listEntries(root).length > 0
      ? `lacks the file ${MARKER}: if it is a store of an older version, \`touchstone prepare CONFIG\` writes it`
      : `is not a store of touchstone: it lacks the file ${MARKER}`,
  )
}

/** Throws a UserError for a file system's root, a home or a repository, whatever they contain. */
function requirePlace(root: string): void {
  if (!existsSync(root)) return
  const real = realpathSync(root)
  const homes = [homedir(), dirname(homedir())].filter(existsSync).map((home) => realpathSync(home))
  const kind =
    dirname(real) === real
      ? "a file system's root"
      : homes.includes(real)
        ? 'a home'
        : existsSync(join(real, '.git'))
          ? 'a repository'
          : undefined
  if (kind) throw new UserError(`is ${kind}, which cannot be a store`, root)
}

function isMarked(root: string): boolean {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return false
  const path = join(root, MARKER)
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true && readFileSync(path, 'utf8') === TEXT
}

function shownTarget(link: string): string {
  return existsSync(link) ? realpathSync(link) : 'its target does not exist'
}

export interface StoreEntry {
  readonly name: string
  /** Null for vectors. */
  readonly key: string | null
  readonly folder: string
  readonly bytes: number
  readonly inputs: readonly string[]
}

/** Artifacts in the store at `root`, each identified by its record. */
export function listEntries(root: string): StoreEntry[] {
  return foldersByKey(root).flatMap(({ name, folder }): StoreEntry[] => {
    const record = readRecord(join(folder, 'artifact.json'))
    if (record?.name !== name || !record.key.startsWith(basename(folder))) return []
    const files = filesIn(folder)
    if (!files?.every((file) => file === 'artifact.json' || record.files.has(file))) return []
    return [{ name, key: record.key, folder, bytes: bytesOf(folder, files), inputs: record.inputs }]
  })
}

/** Vectors in the store: files named by the hash of their bytes. Reads all of them. */
export function listVectors(root: string): StoreEntry[] {
  return foldersByKey(root).flatMap(({ name, folder }): StoreEntry[] => {
    const files = name === 'vectors' ? filesIn(folder) : null
    const isOurs = (file: string) =>
      writerOf(file) !== null || file === `${sha256File(join(folder, file)).slice(0, 32)}.parquet`
    if (!files || files.length === 0 || !files.every(isOurs)) return []
    return [{ name, key: null, folder, bytes: bytesOf(folder, files), inputs: [] }]
  })
}

/** Artifacts that are neither named by `keys` nor an input of one that is. */
export function unusedEntries(entries: readonly StoreEntry[], keys: Iterable<string>): StoreEntry[] {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]))
  const used = new Set<string>()
  const visit = (key: string) => {
    if (used.has(key)) return
    used.add(key)
    for (const input of byKey.get(key)?.inputs ?? []) visit(input)
  }
  for (const key of keys) visit(key)
  return entries.filter(({ key }) => key !== null && !used.has(key))
}

export function removeEntries(entries: readonly StoreEntry[]): void {
  for (const { folder } of entries) if (existsSync(folder)) removeFolder(folder)
}

function foldersByKey(root: string): { name: string; folder: string }[] {
  return foldersIn(root).flatMap((name) =>
    foldersIn(join(root, name))
      .filter((key) => /^[0-9a-f]{32}$/.test(key))
      .map((key) => ({ name, folder: join(root, name, key) })),
  )
}

function foldersIn(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

function filesIn(folder: string): string[] | null {
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.every((entry) => entry.isFile()) ? entries.map(({ name }) => name) : null
}

function bytesOf(folder: string, files: readonly string[]): number {
  return files.reduce((sum, file) => sum + lstatSync(join(folder, file)).size, 0)
}

interface ArtifactRecord {
  readonly name: string
  readonly key: string
  readonly files: ReadonlySet<string>
  readonly inputs: readonly string[]
}

function readRecord(file: string): ArtifactRecord | null {
  try {
    if (!lstatSync(file).isFile()) return null
    const { name, version, params, key, inputs, files } = JSON.parse(readFileSync(file, 'utf8'))
    if (hashOf({ name, version, params, inputs }) !== key) return null
    return { name, key, files: new Set(Object.keys(files)), inputs: Object.values<string>(inputs) }
  } catch {
    return null
  }
}
