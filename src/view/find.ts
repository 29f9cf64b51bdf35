import {
  closeSync,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { isLock } from '../experiment/lock.ts'
import { writerOf } from '../store/write.ts'

export interface Found {
  /** Path below the served folder, with `/`; '.' for the folder itself. */
  readonly name: string
  readonly folder: string
}

const DEEPEST = 4

const RECORDS = ['plan.json', 'manifest.json', 'summary.json']

/** Folders that hold no experiment. */
const OWN = ['parts', 'timings']

/** Real path. Throws a UserError if there is none. */
export function servedFolder(folder: string): string {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (!stats)
    throw new UserError(
      'there is no such folder; run an experiment first (`touchstone run CONFIG`), or name the folder',
      folder,
    )
  if (!stats.isDirectory()) throw new UserError('is a file; name a folder of experiments', folder)
  return realpathSync(folder)
}

/** Experiments at and below a folder. Links are never followed, and only these are served. */
export function findExperiments(root: string): Found[] {
  const experiments: Found[] = []
  const visit = (folder: string, name: string, depth: number) => {
    const entries = entriesOf(folder)
    const isExperiment = holdsExperiment(folder, entries)
    if (isExperiment) experiments.push({ name: name || '.', folder })
    if (depth === DEEPEST) return
    for (const entry of entries) {
      const isOwn = isExperiment && OWN.includes(entry.name)
      if (!entry.isDirectory() || isOwn || entry.name.startsWith('.') || entry.name === 'node_modules')
        continue
      visit(join(folder, entry.name), name === '' ? entry.name : `${name}/${entry.name}`, depth + 1)
    }
  }
  visit(root, '', 0)
  return experiments
}

function holdsExperiment(folder: string, entries: readonly Dirent[]): boolean {
  return entries.some(({ name }) => {
    const path = join(folder, name)
    if (RECORDS.includes(name)) return isRecord(path)
    return (name === 'lock' && isLock(path)) || (name.startsWith('progress.') && writerOf(name) !== null)
  })
}

/** Bytes with a file's `format`. */
const HEAD = 64

/** False for another program's file, such as a browser extension's manifest.json. */
function isRecord(path: string): boolean {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return true
  const head = headOf(path)
  return !/^\s*\{\s*"/.test(head) || /^\s*\{\s*"format"\s*:\s*\d/.test(head)
}

export function formatOf(folder: string): number | undefined {
  const formats = RECORDS.map((file) => /^\s*\{\s*"format"\s*:\s*(\d+)/.exec(headOf(join(folder, file)))?.[1])
  const formatNumber = formats.find((format) => format !== undefined)
  return formatNumber === undefined ? undefined : Number(formatNumber)
}

function headOf(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(HEAD)
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/** A link inside an experiment, which may lead out of the served folder. */
export function linkIn(folder: string): string | undefined {
  for (const below of ['', ...OWN]) {
    const link = entriesOf(join(folder, below)).find((entry) => entry.isSymbolicLink())
    if (link) return below === '' ? link.name : `${below}/${link.name}`
    const plan =
      below === 'parts' ? entriesOf(join(folder, below)).filter((entry) => entry.isDirectory()) : []
    for (const { name } of plan) {
      const part = entriesOf(join(folder, below, name)).find((entry) => entry.isSymbolicLink())
      if (part) return `${below}/${name}/${part.name}`
    }
  }
  return undefined
}

/** Changes whenever a file of the experiment does. */
export function signatureOf(folder: string): string {
  const stamp = (path: string) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : ''
  }
  const files = entriesOf(folder).filter(({ name }) => writerOf(name) === null)
  return [
    ...files.map(({ name }) => `${name} ${stamp(join(folder, name))}`),
    stamp(join(folder, 'timings', 'latency.json')),
  ].join('\n')
}

function entriesOf(folder: string): Dirent[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
