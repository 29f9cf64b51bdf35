import { existsSync, readdirSync } from 'node:fs'
import { join, parse, sep } from 'node:path'
import { UserError } from '../errors.ts'
import { diskError } from '../store/disk-errors.ts'
import { compareIds } from '../text/order.ts'

/**
 * The files that patterns name, in byte order for each pattern: `*` is any characters of one path part, `?` one. A path
 * that exists is itself, whatever characters it has. Throws a UserError for a pattern that nothing matches.
 */
export function expandPaths(patterns: readonly string[]): string[] {
  const found = patterns.flatMap((pattern) => {
    if (existsSync(pattern) || !/[*?]/.test(pattern)) return [pattern]
    const matches = expand(pattern)
    if (matches.length === 0) throw new UserError(`nothing matches \`${pattern}\``)
    return matches
  })
  return [...new Set(found)]
}

/** More than this is a slip of the pattern. */
const MAX = 10_000

function expand(pattern: string): string[] {
  const { root } = parse(pattern)
  const parts = pattern.slice(root.length).split(sep)
  let folders = [root]
  for (const part of parts) {
    if (!/[*?]/.test(part))
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

/** Without backtracking over more than one star: any number of them takes no longer than their length by the name's. */
function wildcard(pattern: string): (name: string) => boolean {
  const wanted = [...pattern]
  return (name) => {
    const given = [...name]
    let at = 0
    let star = -1
    let from = 0
    for (let index = 0; index < given.length; ) {
      if (wanted[at] === '*') {
        star = at++
        from = index
      } else if (wanted[at] === '?' || wanted[at] === given[index]) {
        at++
        index++
      } else if (star >= 0) {
        at = star + 1
        index = ++from
      } else return false
    }
    return wanted.slice(at).every((character) => character === '*')
  }
}

/** None where it is no folder. Throws a UserError where the folder may not be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder || '.')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw diskError(error) ?? error
  }
}
