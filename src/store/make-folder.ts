import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UserError } from '../errors.ts'

/**
 * Creates a folder and the missing ones above it. Node's `mkdirSync` never ends in a file system such as /proc. Returns
 * the first folder that was created; undefined if none.
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = []
  for (let at = resolve(path); !isFolder(at); at = dirname(at)) {
    if (dirname(at) === at)
      throw new UserError({
        file: path,
        message: `cannot be created: there is no drive or share ${at}; name another folder`,
      })
    missing.push(at)
  }
  return missing.reverse().filter((folder) => makeOne(folder, path))[0]
}

function makeOne(folder: string, wanted: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another process was faster.
    if (code === 'EEXIST' && isFolder(folder)) return false
    // A file stands above the wanted folder: the error of the whole path says so.
    if (code === 'EEXIST' && folder !== resolve(wanted)) mkdirSync(wanted)
    if (code === 'ENOENT' && isFolder(dirname(folder)))
      throw new UserError({
        file: wanted,
        message: `cannot be created: ${dirname(folder)} is in a file system in which no folder can be created; name another folder`,
      })
    throw error
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch (error) {
    // A file stands above it: `mkdirSync` says so.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw error
  }
}
