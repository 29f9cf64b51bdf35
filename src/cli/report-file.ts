import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Io } from './io.ts'

/** Where the report of experiment `name` goes: a file, `<name>.html` in a folder, or `reports/<name>.html`. Absolute. */
export function reportFile({ folder }: Pick<Io, 'folder'>, asked: string | undefined, name: string): string {
  if (asked === undefined) return resolve(folder, 'reports', `${name}.html`)
  const path = resolve(folder, asked)
  const isFolder = /[/\\]$/.test(asked) || (existsSync(path) && statSync(path).isDirectory())
  return isFolder ? join(path, `${name}.html`) : path
}
