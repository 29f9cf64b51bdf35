import { resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { loadOwn, type OwnKind } from '../own/load.ts'
import type { Registry } from '../registry.ts'
import { hashFile } from '../store/input.ts'
import type { Path, Reading } from './reading.ts'

/** A definition that the config names by its file, loaded. */
export interface OwnFile<D> {
  /** Absolute. */
  readonly path: string
  readonly sha256: string
  readonly definition: D
}

/** A file's name in the config; `rest` is what follows it there. */
export interface NamedFile {
  readonly name: string
  readonly rest?: string
  readonly path: Path
  readonly on: 'key' | 'value'
}

/** Loads the files, each once, by their names in the config. What is wrong with one is a problem. */
export async function loadOwnFiles<D extends { readonly name: string }>(
  named: readonly NamedFile[],
  kind: OwnKind<D>,
  taken: Registry,
  reading: Reading,
): Promise<Map<string, OwnFile<D>>> {
  const files = new Map<string, OwnFile<D>>()
  const failed = new Set<string>()
  for (const { name, rest = '', path, on } of named) {
    const absolute = resolve(reading.folderOf(path), name)
    if (absolute !== name) reading.rewrites.push({ path, on, value: absolute + rest })
    if (files.has(name) || failed.has(name)) continue
    try {
      const sha256 = hashFile(absolute, `a ${kind.word}`)
      const definition = await loadOwn(absolute, kind)
      if (taken.byName.has(definition.name))
        throw new UserError(
          `${name} calls itself \`${definition.name}\`, which is a ${kind.word} already; give it another name`,
        )
      files.set(name, { path: absolute, sha256, definition })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      failed.add(name)
      reading.problems.push({ path, on, message: error.message })
    }
  }
  return files
}
