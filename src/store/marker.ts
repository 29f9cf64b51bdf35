import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import { listEntries } from './clean.ts'
import { diskError, makeFolder, writerOf, writeWhole } from './write.ts'

/** File at a store's root that marks everything below it in the store's layout as touchstone's. */
export const MARKER = 'touchstone-store'

const TEXT = `This folder is a store of touchstone: prepared tables, indexes and vectors, by content.
\`touchstone clean\` removes what no experiment needs. Without this file it removes nothing.
`

/**
 * Marks a folder as a store: a new or empty folder, or a store of a version without markers. Throws a UserError if it contains
 * anything else.
 */
export function markStore(root: string): void {
  if (isMarked(root)) return
  requirePlace(root)
  const stats = statSync(root, { throwIfNoEntry: false })
  const link = !stats && lstatSync(root, { throwIfNoEntry: false })
  if (link || (stats && !stats.isDirectory()))
    throw new UserError({
      file: root,
      message: `${link ? 'is a link to nothing' : 'is a file'}; name a new or empty folder with --store`,
    })
  try {
    makeFolder(root)
    const held = readdirSync(root).filter((name) => !writerOf(name))
    // Checked again: another process may have created the store meanwhile.
    if (held.length > 0 && listEntries(root).length === 0 && !isMarked(root))
      throw new UserError({
        file: root,
        message: `is not a store of touchstone and contains ${held.slice(0, 3).join(', ')}; name a new or empty folder with --store`,
      })
    writeWhole(join(root, MARKER), TEXT)
  } catch (error) {
    // A read-only store can still be read; building something reports the error then.
    if (error instanceof UserError || !diskError(error)) throw error
  }
}

export function requireStore(root: string): void {
  const fail = (message: string) => new UserError({ file: root, message })
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
  const what =
    dirname(real) === real
      ? "a file system's root"
      : homes.includes(real)
        ? 'a home'
        : existsSync(join(real, '.git'))
          ? 'a repository'
          : undefined
  if (what) throw new UserError({ file: root, message: `is ${what}, which cannot be a store` })
}

function isMarked(root: string): boolean {
  // Below a file no marker can be looked for: the caller says what the root is.
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return false
  const path = join(root, MARKER)
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true && readFileSync(path, 'utf8') === TEXT
}

function shownTarget(link: string): string {
  return existsSync(link) ? realpathSync(link) : 'its target does not exist'
}
