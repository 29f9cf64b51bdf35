import { existsSync, readdirSync } from 'node:fs'
import { join, parse, sep } from 'node:path'
import { UserError } from '../errors.ts'
import { diskError } from '../store/write.ts'
import { compareIds } from '../text/ids.ts'

/**
 * Files that patterns name, in byte order for each; `*` is any characters of one path part. A path that exists is itself. Throws a
 * UserError for a pattern that nothing matches.
 */
export function expandPaths(patterns: readonly string[]): string[] {
  const files = patterns.flatMap((pattern) => {
    if (existsSync(pattern) || !pattern.includes('*')) return [pattern]
    const matches = expand(pattern)
    if (matches.length === 0) throw new UserError(`nothing matches \`${pattern}\``)
    return matches
  })
  return [...new Set(files)]
}

/** More than this is a slip of the pattern. */
const MAX = 10_000

function expand(pattern: string): string[] {
  const { root } = parse(pattern)
  const parts = pattern.slice(root.length).split(sep)
  let folders = [root]
  for (const part of parts) {
    if (!part.includes('*'))
      folders = folders.map((folder) => join(folder, part)).filter((path) => existsSync(path))
    else {
      const wanted = wildcard(part)
      folders = folders.flatMap((folder) =>
        namesIn(folder)
          .filter((name) => wanted(name) && !name.startsWith('.'))
          .map((name) => join(folder, name)),
      )
    }
    if (folders.length > MAX)
      throw new UserError(`more than ${MAX.toLocaleString('en')} paths match \`${pattern}\`; narrow it`)
  }
  return folders.sort(compareIds)
}

/** Test of a name, in time of the pattern's length by the name's. */
function wildcard(pattern: string): (name: string) => boolean {
  const [start, ...pieces] = pattern.split('*')
  const end = pieces.pop() as string
  return (name) => {
    if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end))
      return false
    let at = start.length
    const last = name.length - end.length
    for (const piece of pieces) {
      const place = name.indexOf(piece, at)
      if (place < 0 || place + piece.length > last) return false
      at = place + piece.length
    }
    return true
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder || '.')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw diskError(error) ?? error
  }
}
