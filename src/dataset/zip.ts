import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import { requireFile } from '../store/input.ts'
import { makeFolder } from '../store/make-folder.ts'
import { openScratch, type Scratch } from '../store/scratch.ts'
import { type Member, membersOf } from './archive.ts'

/** Limits of a zip file: its own bytes, and the files, bytes and ratio of what it unpacks to. */
const LIMITS = { bytes: 2 ** 30, files: 20_000, unpacked: 4 * 2 ** 30, ratio: 200 }
/** A small file may compress further than `ratio`. */
const SMALL = 16 * 2 ** 20
/** Errors of names: longer than the file system allows, of a folder and a file at once. */
const MISNAMED = ['EEXIST', 'EISDIR', 'ENAMETOOLONG', 'ENOTDIR', 'EILSEQ', 'EINVAL']

/** True if a file's name ends in `.zip`. */
export function isZip(path: string): boolean {
  return /\.zip$/i.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/**
 * Unpacks a zip into a folder for the reader's time. Throws a UserError for a damaged file, one that unpacks to far more
 * than its size, and one with paths that lead out of the folder.
 */
export function unpackZip(path: string): Scratch {
  requireFile(path)
  const { size } = statSync(path)
  if (size > LIMITS.bytes)
    throw new UserError({
      file: path,
      message: `is a zip file of ${inMegabytes(size)}; unpack it and give the path of the folder`,
    })
  const members = attempt(path, () => membersOf(readFileSync(path))).filter(
    ({ name }) => !/(?:^|\/)(?:__MACOSX|\.DS_Store)/.test(name),
  )
  requireHarmless(path, members, size)
  const scratch = openScratch()
  try {
    for (const { name, content } of members) {
      const bytes = attempt(path, content)
      const file = join(scratch.folder, name)
      try {
        makeFolder(dirname(file))
        writeFileSync(file, bytes)
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        if (!MISNAMED.includes(code)) throw error
        throw new UserError({
          file: path,
          message: `holds a file that cannot be created here (${code}): ${JSON.stringify(name)}; unpack it and give the path of the folder`,
        })
      }
    }
  } catch (error) {
    scratch.remove()
    throw error
  }
  return scratch
}

/** Checks names and sizes against the limits. */
function requireHarmless(path: string, members: readonly Member[], bytes: number): void {
  const wrong = (message: string) => new UserError({ file: path, message })
  if (members.length > LIMITS.files) throw wrong(`holds more than ${LIMITS.files} files`)
  const names = new Set<string>()
  let total = 0
  for (const { name, size } of members) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: names of files in a zip are untrusted
    if (/^[/\\]|^[a-z]:|\\|[\0-\x1f]/i.test(name) || name.split('/').includes('..'))
      throw wrong(`holds a file whose path leads out of its folder: ${JSON.stringify(name)}`)
    if (names.has(name)) throw wrong(`holds two files called ${JSON.stringify(name)}`)
    names.add(name)
    total += size
    if (total > LIMITS.unpacked || total > Math.max(SMALL, LIMITS.ratio * bytes))
      throw wrong(
        `is ${inMegabytes(bytes)} and unpacks to more than ${inMegabytes(total)}; unpack it and give the path of the folder if you trust it`,
      )
  }
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const reason = error instanceof RangeError ? 'damaged directory' : (error as Error).message
    throw new UserError({ file: path, message: `is no readable zip file (${reason}); is it cut off?` })
  }
}

function inMegabytes(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes} bytes` : `${Math.round(bytes / 2 ** 20)} MB`
}
