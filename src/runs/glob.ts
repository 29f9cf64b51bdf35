import { existsSync, readdirSync } from 'node:fs'
import { join, parse, sep } from 'node:path'
import { UserError } from '../errors.ts'
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

function expand(pattern: string): string[] {
  const { root } = parse(pattern)
  const parts = pattern.slice(root.length).split(sep)
  let folders = [root]
  for (const part of parts) {
    if (!/[*?]/.test(part))
      folders = folders.map((folder) => join(folder, part)).filter((path) => existsSync(path))
    else {
      const wanted = new RegExp(
        `^${part
          .replace(/[.+^${}()|[\]\\]/g, '\\$&')
          .replace(/\*/g, '.*')
          .replace(/\?/g, '.')}$`,
        'u',
      )
      folders = folders.flatMap((folder) =>
        namesIn(folder)
          .filter((name) => wanted.test(name) && !name.startsWith('.'))
          .map((name) => join(folder, name)),
      )
    }
  }
  return folders.sort(compareIds)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder || '.')
  } catch {
    return []
  }
}
