import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { makeFolder, writeWhole } from '../store/write.ts'
import type { Repository, Snapshot } from './client.ts'

const schema = z.object({
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  files: z.array(
    z.object({ path: z.string(), size: z.number(), blob: z.string(), sha256: z.string().optional() }),
  ),
})

/** TOUCHSTONE_CACHE, or `touchstone` in the user's cache folder (XDG_CACHE_HOME, else ~/.cache). */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const folder = env.TOUCHSTONE_CACHE
  if (folder !== undefined && folder !== '') {
    if (isAbsolute(folder)) return folder
    throw new UserError(`the environment variable TOUCHSTONE_CACHE must be an absolute path, not ${folder}`)
  }
  const xdg = env.XDG_CACHE_HOME
  return join(xdg && isAbsolute(xdg) ? xdg : join(env.HOME || homedir(), '.cache'), 'touchstone')
}

/**
 * Downloads of this user. A revision is looked up once, so a config means the same files until it names another.
 *
 *     <cache>/<models|datasets>/<owner>/<name>/revisions/<revision>.json    its commit and files, with sizes and hashes
 *     <cache>/<models|datasets>/<owner>/<name>/<commit>/[config-<config>/]<name>/...    the files
 */
export function openCache(root: string) {
  const home = ({ type, name }: Repository) => join(root, type, ...name.split('/'))
  const fileOf = (repo: Repository, revision: string) =>
    join(home(repo), 'revisions', `${encodeURIComponent(revision)}.json`)
  return {
    root,
    read(repo: Repository, revision: string): Snapshot | undefined {
      const file = fileOf(repo, revision)
      if (!existsSync(file)) return undefined
      try {
        return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
      } catch {
        throw new UserError('is damaged; delete it, and it is downloaded again', file)
      }
    },
    write(repo: Repository, revision: string, snapshot: Snapshot): void {
      const file = fileOf(repo, revision)
      makeFolder(dirname(file))
      writeWhole(file, `${JSON.stringify(snapshot, null, 1)}\n`)
    },
    /** Folder of the files of a commit. Each configuration of a dataset has its own: a reader takes all files of a folder. */
    folderOf: (repo: Repository, commit: string, config?: string): string =>
      join(home(repo), commit, config === undefined ? '' : `config-${config}`, repo.name.split('/')[1]),
  }
}
