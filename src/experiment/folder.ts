import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hasFormat } from '../results/format.ts'
import { lock, type Processes } from './lock.ts'
import type { Plan } from './plan.ts'

/** What tells one experiment's folder from another's. */
export type Planned = Pick<Plan, 'hash' | 'shardSize'>

/**
 * Locks an experiment's folder for `plan` and returns how to give it back. Another experiment's results in it are set
 * aside as `<folder>.<hash>`, never overwritten and never while it is run; results of `plan` that were set aside before
 * are taken back. `say` tells of both.
 */
export function takeFolder(
  folder: string,
  plan: Planned,
  processes: Processes,
  say: (what: 'set aside' | 'taken back', path: string) => void,
): () => void {
  const release = lock(folder, processes)
  try {
    const found = readPlanned(folder)
    if (found === 'none') return release
    if (found !== 'other' && found.hash === plan.hash) {
      // Parts of other cuts cannot be put together; the result would be the same.
      if (found.shardSize !== plan.shardSize) rmSync(join(folder, 'parts'), { recursive: true, force: true })
      return release
    }
    const aside = asideOf(folder, found === 'other' ? undefined : found.hash)
    rmSync(aside, { recursive: true, force: true })
    renameSync(folder, aside)
    rmSync(join(aside, 'lock'), { force: true })
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
  const found = readPlanned(aside)
  if (typeof found === 'string' || found.hash !== plan.hash || found.shardSize !== plan.shardSize)
    return false
  // Somebody may run it where it lies.
  lock(aside, processes)()
  renameSync(aside, folder)
  return true
}

/** Equal hashes are equal results, so what stood there may go; what has no hash gets a name of its own. */
function asideOf(folder: string, hash: string | undefined): string {
  const beside = (suffix: string) => join(dirname(folder), `${basename(folder)}.${suffix}`)
  if (hash !== undefined) return beside(hash.slice(0, 8))
  for (let place = 1; ; place++) if (!existsSync(beside(`old-${place}`))) return beside(`old-${place}`)
}

/** The plan that a folder holds, `other` where it is another version's or damaged. */
function readPlanned(folder: string): Planned | 'none' | 'other' {
  const file = join(folder, 'plan.json')
  if (!existsSync(file)) return 'none'
  try {
    const plan: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const { hash, shardSize } = plan as Plan
    if (hasFormat(plan) && /^[0-9a-f]{16,}$/.test(hash)) return { hash, shardSize }
  } catch {
    // As with another version's.
  }
  return 'other'
}
