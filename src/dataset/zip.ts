import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { UserError } from '../errors.ts'
import { requireFile } from '../store/input.ts'
import { makeFolder } from '../store/make-folder.ts'

/** Limits of a zip file: its own bytes, and the files, bytes and ratio of what it unpacks to. */
const LIMITS = { bytes: 2 ** 30, files: 20_000, unpacked: 4 * 2 ** 30, ratio: 200 }
/** A small file may compress further than `ratio`. */
const SMALL = 16 * 2 ** 20

/** True if a file's name ends in `.zip`. */
export function isZip(path: string): boolean {
  return /\.zip$/i.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/**
 * Unpacks a zip into a folder for the reader's time. Throws a UserError for a damaged file, one that unpacks to far more
 * than its size, and one with paths that lead out of the folder.
 */
export function unpackZip(path: string): { readonly folder: string; remove(): void } {
  const names = listZip(path)
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-zip-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const bytes = readFileSync(path)
    for (const name of names) {
      const files = attempt(path, () => unzipSync(bytes, { filter: (entry) => entry.name === name }))
      const file = join(folder, name)
      makeFolder(dirname(file))
      writeFileSync(file, files[name])
    }
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}

/** Names of the files in a zip, checked against the limits. */
function listZip(path: string): string[] {
  requireFile(path)
  const { size } = statSync(path)
  const wrong = (message: string) => new UserError({ file: path, message })
  if (size > LIMITS.bytes)
    throw wrong(`is a zip file of ${inMegabytes(size)}; unpack it and give the path of the folder`)
  const names = new Set<string>()
  let total = 0
  attempt(path, () =>
    unzipSync(readFileSync(path), {
      filter({ name, originalSize }) {
        if (name.endsWith('/') || /(?:^|\/)(?:__MACOSX|\.DS_Store)/.test(name)) return false
        // biome-ignore lint/suspicious/noControlCharactersInRegex: names of files in a zip are untrusted
        if (/^[/\\]|^[a-z]:|\\|[\0-\x1f]/i.test(name) || name.split('/').includes('..'))
          throw wrong(`holds a file whose path leads out of its folder: ${JSON.stringify(name)}`)
        if (names.has(name)) throw wrong(`holds two files called ${JSON.stringify(name)}`)
        names.add(name)
        total += originalSize
        if (names.size > LIMITS.files) throw wrong(`holds more than ${LIMITS.files} files`)
        if (total > LIMITS.unpacked || total > Math.max(SMALL, LIMITS.ratio * size))
          throw wrong(
            `is ${inMegabytes(size)} and unpacks to more than ${inMegabytes(total)}; unpack it and give the path of the folder if you trust it`,
          )
        return false
      },
    }),
  )
  return [...names]
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof UserError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError({ file: path, message: `is no readable zip file (${reason}); is it cut off?` })
  }
}

function inMegabytes(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes} bytes` : `${Math.round(bytes / 2 ** 20)} MB`
}
