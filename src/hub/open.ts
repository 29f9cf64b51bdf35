import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { type Clock, realClock } from '../models/http/clock.ts'
import type { Dtype } from '../models/transformers/folder.ts'
import { CARD } from '../text/dataset-card.ts'
import type { Progress } from '../types.ts'
import { cacheFolder, openCache } from './cache.ts'
import { type HubClient, openClient, type RemoteFile, type Repository, Unreachable } from './client.ts'
import { selectBeir, selectDataset } from './datasets.ts'
import { download, isThere, megabytes, requireSpace, type Wanted } from './download.ts'
import { hashesOf } from './hashes.ts'
import { modelFiles, selectModel } from './models.ts'
import { type DatasetName, datasetNameOf, type HubName, isRemote } from './names.ts'

/** Environment of a command, and its outputs for notices. */
interface HubPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Receives a line before a download. */
  readonly notice: (line: string) => void
  readonly progress: Progress
  readonly clock?: Clock
  /** Milliseconds without a byte after which a request is sent again. */
  readonly idle?: number
  /** Hashes every file again, even if neither its size nor its times changed. */
  readonly readAll?: boolean
}

/** Models and datasets by their names on the hub; each is downloaded once, and then read without a network. */
export interface Hub {
  /** Address that downloads come from. */
  readonly endpoint: string
  model(name: HubName, dtypes: readonly Dtype[]): Promise<Download>
  dataset(name: DatasetName): Promise<Download>
  /** Folder of a model that is there already with these precisions; never asks the hub. */
  cachedModel(name: HubName, dtypes: readonly Dtype[]): string | undefined
}

/** Downloaded dataset or model, as the manifest of a result names it. */
export interface Download {
  /** As a config names it, with each commit. */
  readonly name: string
  readonly folder: string
  readonly sources: readonly { readonly repo: string; readonly commit: string }[]
  /** SHA-256 of each file by its path in the folder. */
  readonly files: Readonly<Record<string, string>>
}

/** A repository at a commit, with its files. */
interface Known {
  readonly repo: Repository
  readonly commit: string
  readonly files: readonly RemoteFile[]
}

/** Repositories of the hub, in the cache once they were looked up and downloaded. */
function openRepositories({ env, notice, progress, clock = realClock, idle }: HubPlace) {
  const cache = openCache(cacheFolder(env))
  let client: HubClient | undefined
  const asked = (): HubClient => {
    if (/^(?:1|true|yes|on)$/i.test(env.HF_HUB_OFFLINE ?? ''))
      throw new Unreachable('HF_HUB_OFFLINE is set, so nothing is downloaded')
    client ??= openClient({ env, clock, ...(idle !== undefined && { idle }) })
    return client
  }

  /** Commit and files of a repository, from the cache if a revision was looked up before. */
  async function lookUp(repo: Repository, revision: string): Promise<Known> {
    const known = cache.commitOf(repo, revision)
    const commit = known ?? (await asked().commitOf(repo, revision))
    const kept = cache.filesOf(repo, commit)
    const files = kept ?? (await asked().filesOf(repo, commit))
    if (!kept) cache.keepFiles(repo, commit, files)
    if (!known) cache.keepCommit(repo, revision, commit)
    return { repo, commit, files }
  }

  async function get(name: string, folder: string, wanted: readonly Wanted[]): Promise<void> {
    const missing = wanted.filter((one) => !isThere(one))
    if (missing.length === 0) return
    const hub = asked()
    const bytes = missing.reduce((sum, { file }) => sum + file.size, 0)
    requireSpace(cache.root, bytes)
    notice(
      `downloading ${name}: ${missing.length} ${missing.length === 1 ? 'file' : 'files'}, ${megabytes(bytes)}, from ${hub.endpoint} to ${folder}`,
    )
    let before = 0
    for (const one of missing) {
      const what = `downloading ${name} (kB)`
      await download(one, {
        client: hub,
        clock,
        progress: (size) => progress(what, Math.floor((before + size) / 1000), Math.ceil(bytes / 1000)),
        waiting: (pid) => notice(`process ${pid} downloads ${one.file.path}; waiting for it`),
      }).catch((error) => {
        throw error instanceof Unreachable
          ? new Unfinished(
              error.message,
              missing.filter((one) => !isThere(one)),
            )
          : error
      })
      before += one.file.size
    }
  }

  return { cache, lookUp, get }
}

function describe(
  name: string,
  folder: string,
  sources: readonly Known[],
  wanted: readonly Wanted[],
  readAll = false,
): Download {
  return {
    name,
    folder,
    sources: sources.map(({ repo, commit }) => ({ repo: repo.name, commit })),
    files: hashesOf(folder, wanted, readAll),
  }
}

export function openHub(place: HubPlace): Hub {
  const { cache, lookUp, get } = openRepositories(place)

  async function wantModel({ repo: name, revision }: HubName, dtypes: readonly Dtype[]) {
    const known = await lookUp({ type: 'models', name }, revision)
    const folder = cache.folderOf(known.repo, known.commit)
    const wanted = selectModel(known.files, dtypes, name).map((file) => ({
      ...known,
      file,
      target: join(folder, file.path),
    }))
    return { known, folder, wanted }
  }

  return {
    get endpoint() {
      return place.env.HF_ENDPOINT || PUBLIC
    },
    model: (name, dtypes) =>
      withSteps(
        async () => {
          const { known, folder, wanted } = await wantModel(name, dtypes)
          await get(`hf:${name.repo}`, folder, wanted)
          return describe(`hf:${name.repo}@${known.commit}`, folder, [known], wanted, place.readAll)
        },
        `put ${modelFiles(dtypes).join(', ')} of ${PUBLIC}/${name.repo} into a folder that is named ${name.repo.split('/')[1]}, and write its path as \`model\``,
      ),
    cachedModel({ repo: name, revision }, dtypes) {
      const repo: Repository = { type: 'models', name }
      const commit = cache.commitOf(repo, revision)
      const files = commit === undefined ? undefined : cache.filesOf(repo, commit)
      if (commit === undefined || files === undefined) return undefined
      const folder = cache.folderOf(repo, commit)
      const wanted = selectModel(files, dtypes, name)
      return wanted.every((file) => isThere({ file, target: join(folder, file.path) })) ? folder : undefined
    },
    dataset: (name) => (name.kind === 'beir' ? beir(name.name) : hubDataset(name)),
  }

  function hubDataset({ repo: name, revision, config }: HubName): Promise<Download> {
    return withSteps(async () => {
      const known = await lookUp({ type: 'datasets', name }, revision)
      const folder = cache.folderOf(known.repo, known.commit, config)
      const at = (file: RemoteFile): Wanted => ({ ...known, file, target: join(folder, file.path) })
      const card = known.files.filter(({ path }) => path === CARD).map(at)
      await get(`the card of hf:${name}`, folder, card)
      const text = card.map(({ target }) => readFileSync(target, 'utf8')).join('')
      const wanted = selectDataset(known.files, text, name, config).map(at)
      await get(`hf:${name}${config === undefined ? '' : `#${config}`}`, folder, wanted)
      const label = `hf:${name}@${known.commit}${config === undefined ? '' : `#${config}`}`
      return describe(label, folder, [known], wanted, place.readAll)
    }, `put the files of ${PUBLIC}/datasets/${name}/tree/${revision} into a folder, and write its path as \`dataset\``)
  }

  function beir(name: string): Promise<Download> {
    return withSteps(async () => {
      const known = await lookUp({ type: 'datasets', name: `BeIR/${name}` }, 'main')
      const judged = await lookUp({ type: 'datasets', name: `BeIR/${name}-qrels` }, 'main')
      const { texts, labels } = selectBeir(known.files, judged.files, name)
      const version = `${known.commit.slice(0, 12)}-${judged.commit.slice(0, 12)}`
      const folder = join(cache.root, 'datasets', 'beir', name, version, name)
      const wanted = [
        ...[...texts].map(([file, path]) => ({ ...known, file, target: join(folder, path) })),
        ...[...labels].map(([file, path]) => ({ ...judged, file, target: join(folder, path) })),
      ]
      await get(`beir/${name}`, folder, wanted)
      return describe(`beir/${name}`, folder, [known, judged], wanted, place.readAll)
    }, `put corpus.jsonl.gz and queries.jsonl.gz of ${PUBLIC}/datasets/BeIR/${name} and the .tsv files of ${PUBLIC}/datasets/BeIR/${name}-qrels, these below qrels/, into a folder, and write its path as \`dataset\``)
  }
}

const PUBLIC = 'https://huggingface.co'

/** A download that broke off, with the files that are missing. */
class Unfinished extends UserError {
  readonly missing: readonly Wanted[]
  constructor(message: string, missing: readonly Wanted[]) {
    super(message)
    this.missing = missing
  }
}

/** Adds to an error of the network what can be done by hand. */
async function withSteps<T>(work: () => Promise<T>, steps: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Unfinished) {
      const list = error.missing.map(({ file }) => `${file.path} (${megabytes(file.size)})`).join(', ')
      throw new UserError(
        `${error.message}. Still missing: ${list}. The same command goes on where it broke off; without a network, ${steps}`,
      )
    }
    if (error instanceof Unreachable) throw new UserError(`${error.message}. Without a network, ${steps}`)
    throw error
  }
}

/** Path of a dataset, and params of its format that its name says. */
interface NamedDataset {
  readonly path: string
  readonly params: { readonly split?: string }
}

/**
 * Place of a dataset that a command is given: a name is downloaded, and a path that exists is a path. Other texts are
 * paths too, relative to `folder`.
 */
export async function openNamed(given: string, folder: string, place: HubPlace): Promise<NamedDataset> {
  const path = resolve(folder, given)
  if (existsSync(path) || !isRemote(given)) return { path, params: {} }
  const name = datasetNameOf(given)
  return { path: (await openHub(place).dataset(name)).folder, params: splitOf(name) }
}

/** Param of a format that takes the split of a name. */
export function splitOf(name: DatasetName): { readonly split?: string } {
  return name.kind === 'beir' && name.split !== undefined ? { split: name.split } : {}
}
