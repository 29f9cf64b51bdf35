import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import { makeFolder } from '../store/make-folder.ts'
import { writeWhole } from '../store/write.ts'
import type { RemoteFile, Repository } from './client.ts'

/**
 * Downloads of this user, by repository and commit:
 *
 *     <cache>/<models|datasets>/<owner>/<name>/refs/<revision>.json    the commit of a revision
 *     <cache>/<models|datasets>/<owner>/<name>/<commit>/files.json    every file with its size and hash
 *     <cache>/<models|datasets>/<owner>/<name>/<commit>/hashes.json    files that were hashed, as they were then
 *     <cache>/<models|datasets>/<owner>/<name>/<commit>/<name>/...    the files; their folder has the name for reports
 *     <cache>/datasets/<owner>/<name>/<commit>/config-<config>/<name>/...   those of one configuration
 *
 * A revision is looked up once. So a config means the same files until another revision is named.
 */
export interface Cache {
  readonly root: string
  /** Commit of a revision that was looked up earlier; undefined if it was not. */
  commitOf(repo: Repository, revision: string): string | undefined
  filesOf(repo: Repository, commit: string): readonly RemoteFile[] | undefined
  keepCommit(repo: Repository, revision: string, commit: string): void
  keepFiles(repo: Repository, commit: string, files: readonly RemoteFile[]): void
  /** Folder of the files of a commit. Each configuration of a dataset has its own: a reader takes all files of a folder. */
  folderOf(repo: Repository, commit: string, config?: string): string
}

const refSchema = z.object({ commit: z.string().regex(/^[0-9a-f]{40}$/) })
const filesSchema = z.array(
  z.object({
    path: z.string(),
    size: z.number(),
    blob: z.string(),
    sha256: z.string().optional(),
  }),
)

/** TOUCHSTONE_CACHE, or `touchstone` in the user's cache folder (XDG_CACHE_HOME, else ~/.cache). */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const given = env.TOUCHSTONE_CACHE
  if (given !== undefined && given !== '') {
    if (!isAbsolute(given))
      throw new UserError(`the environment variable TOUCHSTONE_CACHE must be an absolute path, not ${given}`)
    return given
  }
  const xdg = env.XDG_CACHE_HOME
  return join(xdg && isAbsolute(xdg) ? xdg : join(env.HOME || homedir(), '.cache'), 'touchstone')
}

export function openCache(root: string): Cache {
  const home = ({ type, name }: Repository) => join(root, type, ...name.split('/'))
  // A revision may hold slashes, as refs/pr/1.
  const ref = (repo: Repository, revision: string) =>
    join(home(repo), 'refs', `${encodeURIComponent(revision)}.json`)
  const list = (repo: Repository, commit: string) => join(home(repo), commit, 'files.json')
  return {
    root,
    commitOf: (repo, revision) =>
      /^[0-9a-f]{40}$/.test(revision) ? revision : read(ref(repo, revision), refSchema)?.commit,
    filesOf: (repo, commit) => read(list(repo, commit), filesSchema),
    keepCommit(repo, revision, commit) {
      write(ref(repo, revision), { commit })
    },
    keepFiles(repo, commit, files) {
      write(list(repo, commit), files)
    },
    folderOf: (repo, commit, config) =>
      join(
        home(repo),
        commit,
        ...(config === undefined ? [] : [`config-${config}`]),
        repo.name.split('/')[1],
      ),
  }
}

function read<T>(path: string, schema: z.ZodType<T>): T | undefined {
  if (!existsSync(path)) return undefined
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw new UserError({ file: path, message: 'is damaged; delete it, and it is downloaded again' })
  }
}

function write(path: string, value: unknown): void {
  makeFolder(join(path, '..'))
  writeWhole(path, `${JSON.stringify(value, null, 1)}\n`)
}
