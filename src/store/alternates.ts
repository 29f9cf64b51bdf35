import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { UserError } from '../errors.ts'
import { sha256, sha256File } from './hash.ts'

/** Bytes up to which a file is compared with its `.gz`. */
const MOST_COMPARED = 2 ** 28

/** Finds the one file below `folder` with one of these names, plain or `.gz`; undefined if there is none. Throws a UserError if two are there. */
export function findFile(folder: string, ...names: readonly string[]): string | undefined {
  const there = names.flatMap((name) => [name, `${name}.gz`]).filter((name) => existsSync(join(folder, name)))
  return oneOf(folder, there)
}

/**
 * Chooses the file of a role in a dataset; undefined if there is none. A `.gz` with the content of the plain
 * file is no second one. Otherwise throws a UserError that names two files.
 */
export function oneOf(folder: string, files: readonly string[]): string | undefined {
  const [first, ...others] = files.filter(
    (file) => !(files.includes(withoutGz(file)) && file.endsWith('.gz') && isCopy(folder, file)),
  )
  if (others.length > 0)
    throw new UserError({
      file: join(folder, others[0]),
      message: `has the same role as ${first}; move one of them out of the folder`,
    })
  return first
}

function withoutGz(file: string): string {
  return file.replace(/\.gz$/, '')
}

/** True if a `.gz` unpacks to the plain file next to it; false if the plain file is too large to compare. */
function isCopy(folder: string, file: string): boolean {
  const [packed, plain] = [join(folder, file), join(folder, withoutGz(file))]
  const { size } = statSync(plain)
  if (!statSync(plain).isFile() || !statSync(packed).isFile() || size > MOST_COMPARED) return false
  try {
    const content = gunzipSync(readFileSync(packed), { maxOutputLength: Math.max(1, size) })
    return content.length === size && sha256(content) === sha256File(plain)
  } catch {
    return false
  }
}
