import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import ignore from 'ignore'

/** A file below a folder, in the order of paths. */
export interface FoundFile {
  /** Below the folder, with forward slashes. */
  readonly file: string
  readonly bytes: number
}

export interface Walked {
  readonly files: readonly FoundFile[]
  /** Files and folders that an ignore file names, and hidden ones. */
  readonly ignored: number
  /** Links that lead nowhere, or to a folder above. */
  readonly links: readonly string[]
}

const IGNORE_FILES = ['.gitignore', '.touchstoneignore']

/**
 * Files below a folder. What `.gitignore` and `.touchstoneignore` name is left out, each for its own folder, and so is
 * everything hidden and `node_modules`. Links to folders are not followed twice.
 */
export function walk(folder: string): Walked {
  const files: FoundFile[] = []
  const links: string[] = []
  let ignored = 0
  const visited = new Set<string>()
  const visit = (below: string, rules: readonly Rules[]) => {
    const here = join(folder, below)
    const real = realpathSync(here)
    if (visited.has(real)) {
      links.push(below)
      return
    }
    visited.add(real)
    const entries = readdirSync(here, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    const own = entries.filter((entry) => entry.isFile() && IGNORE_FILES.includes(entry.name))
    const all = [
      ...rules,
      ...own.map(({ name }) => ({ below, matcher: ignore().add(readFileSync(join(here, name), 'utf8')) })),
    ]
    for (const entry of entries) {
      const file = below === '' ? entry.name : `${below}/${entry.name}`
      if (IGNORE_FILES.includes(entry.name)) continue
      const stats = entry.isSymbolicLink()
        ? statSync(join(folder, file), { throwIfNoEntry: false })
        : lstatSync(join(folder, file))
      if (!stats) links.push(file)
      else if (
        entry.name.startsWith('.') ||
        entry.name === 'node_modules' ||
        isIgnored(file, stats.isDirectory(), all)
      )
        ignored++
      else if (stats.isDirectory()) visit(file, all)
      else if (stats.isFile()) files.push({ file, bytes: stats.size })
      else ignored++
    }
  }
  visit('', [])
  return { files, ignored, links }
}

interface Rules {
  readonly below: string
  readonly matcher: ReturnType<typeof ignore>
}

function isIgnored(file: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  return rules.some(({ below, matcher }) => {
    const path = below === '' ? file : file.slice(below.length + 1)
    return matcher.ignores(isFolder ? `${path}/` : path)
  })
}

/** Path with forward slashes. */
export function slashed(path: string): string {
  return path.split(sep).join('/')
}
