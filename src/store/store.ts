import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { type Diagnostic, UserError } from '../errors.ts'
import { listen } from '../stopping.ts'
import type { Json, Progress } from '../types.ts'
import type { Artifact } from './artifact.ts'
import { markStore } from './folder.ts'
import { hashOf, sha256File } from './hash.ts'
import { makeFolder, removeFolder, temporaryName } from './write.ts'

/**
 * Content-addressed store of artifacts: `<root>/<name>/<key>/`, written to a temporary folder and renamed.
 * `artifact.json` records how it was made and the SHA-256 of each file.
 */
export interface Store {
  readonly root: string
  has(artifact: Artifact<unknown>): boolean
  missing(artifacts: readonly Artifact<unknown>[]): Artifact<unknown>[]
  /** Builds the artifact and its missing inputs. Returns those built, in order. */
  prepare(artifact: Artifact<unknown>, progress?: Progress): Promise<Artifact<unknown>[]>
  /** Opens a prepared artifact, once per process. Throws a UserError if it was not prepared. */
  open<T>(artifact: Artifact<T>): Promise<T>
  /** Program that holds a prepared artifact's content outside of the store, with its version. */
  holder(artifact: Artifact<unknown>): string | undefined
  /** Ends what opened artifacts started. They are opened again on demand. */
  close(): Promise<void>
}

const silent: Progress = () => {}

/** Opens the store at `root`; nothing is written until something is prepared. */
export function openStore(root: string): Store {
  let marked = false
  const opened = new Map<string, Promise<unknown>>()
  const closing = new Map<string, () => Promise<void>>()
  const folderOf = (artifact: Artifact<unknown>) => join(root, artifact.name, artifact.key.slice(0, 32))
  const has = (artifact: Artifact<unknown>) =>
    artifact.build === undefined || existsSync(join(folderOf(artifact), 'artifact.json'))

  const lazy = (artifact: Artifact<unknown>) =>
    Object.fromEntries(Object.entries(artifact.inputs).map(([name, input]) => [name, () => open(input)]))

  function open<T>(artifact: Artifact<T>): Promise<T> {
    const id = artifact.view === undefined ? artifact.key : `${artifact.key} ${artifact.view}`
    let content = opened.get(id)
    if (!content) {
      content = (async () => {
        if (!has(artifact))
          throw new UserError(`${artifact.name} is not prepared; run \`touchstone prepare\` first`)
        if (artifact.build) verify(folderOf(artifact), artifact)
        return artifact.open(folderOf(artifact), lazy(artifact))
      })()
      if (!artifact.copied) opened.set(id, content)
      const { close } = artifact
      const opening = content as Promise<T>
      if (close) closing.set(id, () => opening.then(close, () => {}))
      content.catch(() => opened.delete(id))
    }
    return content as Promise<T>
  }

  function missing(artifacts: readonly Artifact<unknown>[]): Artifact<unknown>[] {
    const missing = new Map<string, Artifact<unknown>>()
    const seen = new Set<string>()
    const visit = (artifact: Artifact<unknown>) => {
      if (seen.has(artifact.key) || (artifact.build && has(artifact))) return
      seen.add(artifact.key)
      for (const input of Object.values(artifact.inputs)) visit(input)
      if (artifact.build) missing.set(artifact.key, artifact)
    }
    for (const artifact of artifacts) visit(artifact)
    return [...missing.values()]
  }

  async function prepare(
    artifact: Artifact<unknown>,
    progress: Progress = silent,
  ): Promise<Artifact<unknown>[]> {
    if (!marked) markStore(root)
    marked = true
    if (artifact.build && has(artifact)) {
      if (!(await artifact.isGone?.(folderOf(artifact)))) return []
      removeFolder(folderOf(artifact))
    }
    const built: Artifact<unknown>[] = []
    for (const input of Object.values(artifact.inputs)) built.push(...(await prepare(input, progress)))
    if (!artifact.build) return built
    await listen()
    const folder = folderOf(artifact)
    const fresh = temporaryName(folder)
    try {
      makeFolder(fresh)
      progress(artifact.name, 0, 1)
      await artifact.build(fresh, lazy(artifact), { progress })
      writeFileSync(join(fresh, 'artifact.json'), describe(artifact, fresh))
      moveIn(fresh, folder)
      progress(artifact.name, 1, 1)
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
    return [...built, artifact]
  }

  async function close(): Promise<void> {
    opened.clear()
    const ends = [...closing.values()]
    closing.clear()
    for (const end of ends) await end()
  }

  const holder = (artifact: Artifact<unknown>) => artifact.holder?.(folderOf(artifact))
  return { root, has, missing, prepare, open, holder, close }
}

/** Renames a finished artifact into place, unless another process has built it meanwhile. */
function moveIn(fresh: string, folder: string): void {
  try {
    renameSync(fresh, folder)
  } catch (error) {
    if (existsSync(join(folder, 'artifact.json'))) return
    if (!existsSync(folder)) throw error
    // Without its record a folder is not an artifact: somebody removed the record to have it rebuilt.
    removeFolder(folder)
    renameSync(fresh, folder)
  }
}

function describe(artifact: Artifact<unknown>, folder: string): string {
  const files = Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((file) => [
        file,
        { bytes: statSync(join(folder, file)).size, sha256: sha256File(join(folder, file)) },
      ]),
  )
  const inputs = Object.fromEntries(Object.entries(artifact.inputs).map(([name, input]) => [name, input.key]))
  const { name, version, params, key } = artifact
  return `${JSON.stringify({ name, version, key, params, inputs, files }, null, 2)}\n`
}

/** Checks sizes and hashes on every opening: a wrong number is worse than a wait. */
function verify(folder: string, artifact: Artifact<unknown>): void {
  const described = readDescription(join(folder, 'artifact.json'))
  const diagnostics: Diagnostic[] = []
  const { name, version, params, inputs, key } = described
  if (key !== artifact.key || hashOf(params) !== hashOf(artifact.params))
    diagnostics.push({
      file: folder,
      message: `was made from other inputs than ${artifact.name} asks for; delete it and prepare again`,
    })
  else if (hashOf({ name, version, params, inputs }) !== key)
    diagnostics.push({ file: join(folder, 'artifact.json'), message: ALTERED })
  for (const [file, { bytes, sha256: expected }] of Object.entries(described.files)) {
    const path = join(folder, file)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size !== bytes || sha256File(path) !== expected)
      diagnostics.push({
        file: path,
        message: `was altered since it was written; delete the folder ${folder} and prepare again`,
      })
  }
  if (diagnostics.length > 0) throw new UserError(diagnostics)
}

/** Record of an artifact. Keys of `files` are plain names, so they cannot lead out of the folder. */
const DESCRIPTION = z.object({
  name: z.string(),
  version: z.number(),
  key: z.string(),
  inputs: z.record(z.string(), z.string()),
  params: z.custom<Json>((value) => value !== undefined),
  files: z.record(
    z.string().refine((name) => name === basename(name)),
    z.object({ bytes: z.int().min(0), sha256: z.string() }),
  ),
})

const ALTERED = 'was altered since it was written; delete its folder and prepare again'

function readDescription(path: string): z.output<typeof DESCRIPTION> {
  try {
    return DESCRIPTION.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw new UserError(ALTERED, path)
  }
}
