import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** One artifact of a store, or what an artifact's builders remember (`cache`). */
export interface Entry {
  readonly name: string
  /** The artifact's key; null for a cache. */
  readonly key: string | null
  readonly folder: string
  readonly bytes: number
  /** Keys of what it was built from. */
  readonly inputs: readonly string[]
}

/** What stands in the store at `root`. Only folders of the store's own form: anything else is not ours to look at. */
export function listEntries(root: string): Entry[] {
  return foldersIn(root).flatMap((name) =>
    foldersIn(join(root, name)).flatMap((own): Entry[] => {
      const folder = join(root, name, own)
      if (own === 'cache') return [{ name, key: null, folder, bytes: bytesBelow(folder), inputs: [] }]
      if (!/^[0-9a-f]{32}$/.test(own)) return []
      const described = readDescription(join(folder, 'artifact.json'))
      if (!described?.key.startsWith(own)) return []
      const inputs = Object.values(described.inputs)
      return [{ name, key: described.key, folder, bytes: bytesBelow(folder), inputs }]
    }),
  )
}

/** The artifacts that are neither named by `keys` nor built into one that is; caches are kept. */
export function unusedEntries(entries: readonly Entry[], keys: Iterable<string>): Entry[] {
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

export function removeEntries(entries: readonly Entry[]): void {
  for (const { folder } of entries) rmSync(folder, { recursive: true, force: true })
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

function bytesBelow(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    bytes += entry.isDirectory() ? bytesBelow(path) : statSync(path).size
  }
  return bytes
}

function readDescription(file: string): { key: string; inputs: Readonly<Record<string, string>> } | null {
  try {
    const { key, inputs } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof key === 'string' && typeof inputs === 'object' && inputs !== null ? { key, inputs } : null
  } catch {
    return null
  }
}
