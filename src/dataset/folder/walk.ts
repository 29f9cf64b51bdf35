import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import ignore from 'ignore'
import { readText } from '../../store/input.ts'
import { entriesOf, statsOf } from '../source.ts'

export interface FoundFile {
  readonly file: string
  readonly bytes: number
}

export interface Walked {
  readonly files: readonly FoundFile[]
  /** Files and folders that an ignore file names, and hidden ones. */
  readonly ignored: number
  /** Links that lead nowhere, in a circle, or out of the folder. */
  readonly links: readonly string[]
  readonly unreadable: readonly (FoundFile & { readonly unreadable: string })[]
}

const IGNORE_FILES = ['.gitignore', '.touchstoneignore']

/**
 * Files below a folder, without hidden ones, `node_modules`, and those that `.gitignore` and `.touchstoneignore` name, each for its
 * own folder. Links to folders are not followed twice, and never out of the folder.
 */
export function walk(folder: string): Walked {
  const files: FoundFile[] = []
  const links: string[] = []
  const refused: (FoundFile & { unreadable: string })[] = []
  let ignored = 0
  const root = realpathSync(folder)
  const visited = new Set<string>()
  const visit = (below: string, rules: readonly Rules[]) => {
    const here = join(folder, below)
    const real = realpathSync(here)
    if (visited.has(real)) {
      links.push(below)
      return
    }
    visited.add(real)
    const entries = entriesOf(here)
    if (!entries) {
      refused.push({ file: below, bytes: 0, unreadable: 'folder that may not be read' })
      return
    }
    const ignoreFiles = entries.filter((entry) => entry.isFile() && IGNORE_FILES.includes(entry.name))
    const all = [
      ...rules,
      ...ignoreFiles.map(({ name }) => ({ below, matcher: ignore().add(readText(join(here, name))) })),
    ]
    for (const entry of entries) {
      const file = below === '' ? entry.name : `${below}/${entry.name}`
      if (IGNORE_FILES.includes(entry.name)) continue
      const isLink = entry.isSymbolicLink()
      const stats = statsOf(join(folder, file), isLink)
      const refuse = (unreadable: string, name = file) => refused.push({ file: name, bytes: 0, unreadable })
      if (/\p{Cc}/u.test(entry.name))
        refuse('name with control characters', JSON.stringify(file).slice(1, -1))
      else if (isLink && (!stats || !isBelow(root, realpathSync(join(folder, file))))) links.push(file)
      else if (!stats)
        refuse(
          file.includes('\ufffd')
            ? 'name that is not UTF-8'
            : 'file that is gone since the folder was searched',
        )
      else if (/^\.|^node_modules$/.test(entry.name) || isIgnored(file, stats.isDirectory(), all)) ignored++
      else if (stats.isDirectory()) visit(file, all)
      else if (stats.isFile()) files.push({ file, bytes: stats.size })
      else ignored++
    }
  }
  visit('', [])
  return { files, ignored, links, unreadable: refused }
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
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

export function slashed(path: string): string {
  return path.split(sep).join('/')
}
