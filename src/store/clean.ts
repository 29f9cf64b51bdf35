import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hashOf, sha256File } from './hash.ts'
import { removeFolder, writerOf } from './write.ts'

export interface StoreEntry {
  readonly name: string
  /** Key of the artifact; null for vectors, which can only be rebuilt by the embedder. */
  readonly key: string | null
  readonly folder: string
  readonly bytes: number
  /** Keys of its inputs. */
  readonly inputs: readonly string[]
}

/** Artifacts in the store at `root`, each identified by its record; other files are ignored. */
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
  const held = readdirSync(folder, { withFileTypes: true })
  return held.every((entry) => entry.isFile()) ? held.map(({ name }) => name) : null
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

/** Record of an artifact; null if it is missing or its key does not match its content. */
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
