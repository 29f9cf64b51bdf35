import { accessSync, constants, type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs'

/** Entries of somebody's folder by name; undefined if it may not be read. */
export function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return undefined
  }
}

/** Kind and size of an entry, of a link's target if `follow`; undefined if it is gone, nowhere, or a circle of links. */
export function statsOf(path: string, follow: boolean): Stats | undefined {
  try {
    return follow ? statSync(path) : lstatSync(path)
  } catch {
    return undefined
  }
}

/** True for a file that may be opened: a pipe would be opened for ever. */
export function isReadableFile(path: string): boolean {
  if (!statsOf(path, true)?.isFile()) return false
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
