import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { UserError } from '../errors.ts'
import { alteredFiles, manifestIn } from '../results/finished.ts'
import { hasFormat } from '../results/format.ts'
import type { Manifest, Summary } from '../results/summary.ts'
import { unsealed } from '../store/hash.ts'
import { writerOf } from '../store/write.ts'
import { isLock, lock, type Processes } from './lock.ts'
import type { Plan } from './plan/plan.ts'
import { removeProgress } from './progress-file.ts'

type Planned = Pick<Plan, 'hash' | 'shardSize'>

/**
 * Locks a folder for `plan`; returns the release function. Sets results of another experiment aside as
 * `<folder>.<hash>`, and takes earlier results of `plan` back. Throws a UserError for other folders, and if one of
 * `inputs` would move.
 */
export function takeFolder(
  folder: string,
  plan: Planned,
  processes: Processes,
  say: (what: 'set aside' | 'taken back', path: string) => void,
  inputs: readonly string[],
): () => void {
  requireExperimentFolder(folder)
  const release = lock(folder, processes)
  try {
    const planned = readPlanned(folder)
    if (planned === 'none') return release
    if (planned !== 'other' && planned.hash === plan.hash) {
      // Parts of other shard sizes cannot be merged.
      if (planned.shardSize !== plan.shardSize)
        rmSync(join(folder, 'parts'), { recursive: true, force: true })
      return release
    }
    requireApart(folder, inputs)
    const aside = freeName(folder, planned === 'other' ? undefined : planned.hash)
    renameSync(folder, aside)
    rmSync(join(aside, 'lock'), { force: true })
    removeProgress(aside, processes)
    say('set aside', aside)
    if (takeBack(folder, plan, processes)) say('taken back', asideOf(folder, plan.hash))
    return lock(folder, processes)
  } catch (error) {
    release()
    throw error
  }
}

function takeBack(folder: string, plan: Planned, processes: Processes): boolean {
  const aside = asideOf(folder, plan.hash)
  if (!existsSync(aside)) return false
  const planned = readPlanned(aside)
  if (typeof planned === 'string' || planned.hash !== plan.hash || planned.shardSize !== plan.shardSize)
    return false
  // Another process may be running it there.
  lock(aside, processes)()
  renameSync(aside, folder)
  return true
}

function asideOf(folder: string, hash: string): string {
  return `${folder}.${hash.slice(0, 8)}`
}

/** Name of a folder that is set aside: by hash, or else by number. */
function freeName(folder: string, hash: string | undefined): string {
  if (hash !== undefined && !existsSync(asideOf(folder, hash))) return asideOf(folder, hash)
  for (let index = 1; ; index++) if (!existsSync(`${folder}.old-${index}`)) return `${folder}.old-${index}`
}

export function requireExperimentFolder(folder: string): void {
  const fail = (message: string) => new UserError(`${message}; name a new folder with --out`, folder)
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (!stats && lstatSync(folder, { throwIfNoEntry: false })) throw fail('is a link to nothing')
  if (!stats) return
  if (!stats.isDirectory()) throw fail('is not a folder')
  // A run that was killed at its start leaves only these files.
  const names = readdirSync(folder).filter((name) => !isLock(join(folder, name)) && !writerOf(name))
  if (names.length > 0 && !RECORDS.some((name) => isRecord(join(folder, name))))
    throw fail(`is not an experiment folder and contains ${names.slice(0, 3).join(', ')}`)
}

const RECORDS = ['plan.json', 'manifest.json', 'summary.json']

function isRecord(file: string): boolean {
  try {
    return typeof JSON.parse(readFileSync(file, 'utf8')).format === 'number'
  } catch {
    return false
  }
}

function requireApart(folder: string, inputs: readonly string[]): void {
  const inside = inputs.find((path) => {
    const below = relative(folder, path)
    return !below.startsWith('..') && !isAbsolute(below)
  })
  if (inside !== undefined)
    throw new UserError(
      `holds another experiment and ${inside}, which this one reads; name another folder with --out`,
      folder,
    )
}

/** Plan of a folder; `other` if damaged or of another version. An edited plan has no shard size. */
function readPlanned(folder: string): Planned | 'none' | 'other' {
  const file = join(folder, 'plan.json')
  if (!existsSync(file)) return 'none'
  try {
    const plan: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const { hash, shardSize } = plan as Plan
    if (hasFormat(plan) && /^[0-9a-f]{16,}$/.test(hash))
      return { hash, shardSize: unsealed(plan) === undefined ? Number.NaN : shardSize }
  } catch {
    // Damaged files are treated like other versions.
  }
  return 'other'
}

/** Result of `plan`: null if not finished, the altered files if any differ from the manifest. */
export function readFinished(
  folder: string,
  plan: Pick<Plan, 'hash'>,
): { readonly summary: Summary } | { readonly altered: readonly string[] } | null {
  const [manifestFile, summaryFile] = ['manifest.json', 'summary.json'].map((file) => join(folder, file))
  if (!existsSync(manifestFile) || !existsSync(summaryFile)) return null
  const manifest = readManifest(manifestFile)
  if (!manifest) return { altered: ['manifest.json'] }
  if (manifest.plan !== plan.hash) return null
  const altered = alteredFiles(folder, manifest)
  return altered.length > 0 ? { altered } : { summary: JSON.parse(readFileSync(summaryFile, 'utf8')) }
}

function readManifest(file: string): Manifest | null {
  try {
    return manifestIn(JSON.parse(readFileSync(file, 'utf8'))) ?? null
  } catch {
    return null
  }
}
