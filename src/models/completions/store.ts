import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeFolder, temporaryName } from '../../store/write.ts'
import { formatCompletion, parseCompletion, type StoredCompletion } from './request.ts'

/**
 * Completions of one model, a file each, named by key. A file is linked whole, which fails if the name exists: of
 * several processes the first completion stays.
 */
export interface CompletionStore {
  /** Throws a UserError if the file was altered. */
  get(key: string): StoredCompletion | undefined
  /** Gives the stored completion, which is another process's if that was faster. */
  put(stored: StoredCompletion): StoredCompletion
}

const FILE = /^[0-9a-f]{32}\.json$/

/** `folder` need not exist. */
export function openCompletions(folder: string): CompletionStore {
  const fileOf = (key: string) => join(folder, `${key}.json`)
  const get = (key: string) => {
    const file = fileOf(key)
    return existsSync(file) ? readCompletion(file) : undefined
  }
  return {
    get,
    put(stored) {
      makeFolder(folder)
      const file = fileOf(stored.key)
      const fresh = temporaryName(file)
      try {
        const { took } = stored
        const line = formatCompletion(stored)
        writeFileSync(fresh, `${took ? `${line.slice(0, -1)},"took":${JSON.stringify(took)}}` : line}\n`)
        linkOnce(fresh, file)
      } finally {
        rmSync(fresh, { force: true })
      }
      return get(stored.key) ?? stored
    },
  }
}

/** A file system without links can only rename. */
function linkOnce(fresh: string, file: string): void {
  try {
    linkSync(fresh, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error
    if (!existsSync(file)) renameSync(fresh, file)
  }
}

export function completionFiles(root: string): string[] {
  return listFolder(join(root, COMPLETIONS)).flatMap((model) =>
    listFolder(join(root, COMPLETIONS, model))
      .filter((file) => FILE.test(file))
      .map((file) => join(root, COMPLETIONS, model, file)),
  )
}

export const COMPLETIONS = 'completions'

export function readCompletion(file: string): StoredCompletion {
  const stored = parseCompletion(readFileSync(file, 'utf8'), file)
  return stored.key === basename(file, '.json') ? stored : parseCompletion('', file)
}

function listFolder(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : []
}
