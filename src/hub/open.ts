import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Clock, realClock } from '../models/http/limiter.ts'
import { type Dtype, weightsOf } from '../models/transformers/local-params.ts'
import { CARD } from '../text/dataset-card.ts'
import type { Progress } from '../types.ts'
import { cacheFolder, openCache } from './cache.ts'
import { type HubClient, openClient, type RemoteFile, type Repository, Unreachable } from './client.ts'
import { download, isThere, megabytes, sha256Of, type Wanted } from './download.ts'
import { type DatasetName, datasetNameOf, type HubName, isRemote } from './names.ts'
import { selectBeir, selectDataset, selectModel } from './select.ts'

interface HubPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly notice: (line: string) => void
  readonly progress: Progress
  readonly clock?: Clock
  readonly idle?: number
  readonly readAll?: boolean
  /** Throws a NotDownloaded in place of a download; lists of files and cards are still fetched. */
  readonly lookUpOnly?: boolean
}

interface Missing {
  readonly name: string
  readonly files: number
  readonly bytes: number
}

export class NotDownloaded extends Error {
  readonly missing: readonly Missing[]

  constructor(missing: readonly Missing[]) {
    super(`not downloaded: ${missing.map(({ name }) => name).join(', ')}`)
    this.missing = missing
  }
}

export interface Download {
  /** As a config names it, with each commit. */
  readonly name: string
  readonly folder: string
  readonly sources: readonly { readonly repo: string; readonly commit: string }[]
  /** SHA-256 of each file by its path in the folder. */
  readonly files: Readonly<Record<string, string>>
}

function openRepositories(place: HubPlace) {
  const { env, notice, progress, clock = realClock, idle, readAll = false, lookUpOnly = false } = place
  const cache = openCache(cacheFolder(env))
  let client: HubClient | undefined
  const online = (): HubClient => {
    if (/^(?:1|true|yes|on)$/i.test(env.HF_HUB_OFFLINE ?? ''))
      throw new Unreachable('HF_HUB_OFFLINE is set, so nothing is downloaded')
    client ??= openClient(env, clock, idle)
    return client
  }

  /** Commit and files of a repository, from the cache if a revision was looked up before. */
  async function lookUp(repo: Repository, revision: string) {
    const stored = cache.read(repo, revision)
    const snapshot = stored ?? (await online().snapshot(repo, revision))
    // A config that pins the commit needs no network either.
    if (!stored) for (const name of [revision, snapshot.commit]) cache.write(repo, name, snapshot)
    const { commit, files } = snapshot
    const at = (folder: string, file: RemoteFile, path = file.path): Wanted => {
      return { repo, commit, file, target: join(folder, path) }
    }
    return { repo, commit, files, at }
  }

  /** Downloads the files that are not there yet. `short`: the name without commits. `isCard`: even with `lookUpOnly`. */
  async function get(
    short: string,
    name: string,
    folder: string,
    wanted: readonly Wanted[],
    isCard = false,
  ): Promise<Download> {
    const missing = wanted.filter((file) => !isThere(file))
    const bytes = missing.reduce((sum, { file }) => sum + file.size, 0)
    if (missing.length > 0 && lookUpOnly && !isCard)
      throw new NotDownloaded([{ name: short, files: missing.length, bytes }])
    const count = `${missing.length} ${missing.length === 1 ? 'file' : 'files'}`
    if (missing.length > 0)
      notice(`downloading ${short}: ${count}, ${megabytes(bytes)}, from ${online().endpoint} to ${folder}`)
    let before = 0
    for (const file of missing) {
      await download(file, online(), (size) =>
        progress(`downloading ${short} (kB)`, Math.floor((before + size) / 1000), Math.ceil(bytes / 1000)),
      )
      before += file.file.size
    }
    const sources = wanted.map(({ repo, commit }) => [repo.name, { repo: repo.name, commit }] as const)
    const files = wanted.map((file) => [file.target.slice(folder.length + 1), sha256Of(file, readAll)])
    return { name, folder, sources: [...new Map(sources).values()], files: Object.fromEntries(files) }
  }

  return { cache, lookUp, get }
}

export type Hub = ReturnType<typeof openHub>

const PUBLIC = 'https://huggingface.co'

/** Models and datasets by their names on the hub; each is downloaded once, and then read without a network. */
export function openHub(place: HubPlace) {
  const { cache, lookUp, get } = openRepositories(place)

  async function model({ repo: name, revision }: HubName, dtypes: readonly Dtype[]): Promise<Download> {
    const { repo, commit, files, at } = await lookUp({ type: 'models', name }, revision)
    const folder = cache.folderOf(repo, commit)
    const wanted = selectModel(files, dtypes, name).map((file) => at(folder, file))
    return get(`hf:${name}`, `hf:${name}@${commit}`, folder, wanted)
  }

  async function hubDataset({ repo: name, revision, config }: HubName): Promise<Download> {
    const { repo, commit, files, at } = await lookUp({ type: 'datasets', name }, revision)
    const folder = cache.folderOf(repo, commit, config)
    const card = files.filter(({ path }) => path === CARD).map((file) => at(folder, file))
    await get(`the card of hf:${name}`, name, folder, card, true)
    const text = card.map(({ target }) => readFileSync(target, 'utf8')).join('')
    const wanted = selectDataset(files, text, name, config).map((file) => at(folder, file))
    const suffix = config === undefined ? '' : `#${config}`
    return get(`hf:${name}${suffix}`, `hf:${name}@${commit}${suffix}`, folder, wanted)
  }

  async function beir(name: string): Promise<Download> {
    const texts = await lookUp({ type: 'datasets', name: `BeIR/${name}` }, 'main')
    const labels = await lookUp({ type: 'datasets', name: `BeIR/${name}-qrels` }, 'main')
    const selected = selectBeir(texts.files, labels.files, name)
    const version = [texts, labels].map(({ commit }) => commit.slice(0, 12)).join('-')
    const folder = join(cache.root, 'datasets', 'beir', name, version, name)
    const wanted = [
      ...selected.texts.map((file) => texts.at(folder, file)),
      ...selected.labels.map((file) => labels.at(folder, file, `qrels/${file.path}`)),
    ]
    return get(`beir/${name}`, `beir/${name}`, folder, wanted)
  }

  return {
    endpoint: place.env.HF_ENDPOINT || PUBLIC,
    model: (name: HubName, dtypes: readonly Dtype[]): Promise<Download> =>
      withSteps(
        model(name, dtypes),
        `put config.json, tokenizer.json, tokenizer_config.json, ${dtypes.map(weightsOf).join(', ')} of ${PUBLIC}/${name.repo} into a folder that is named ${name.repo.split('/')[1]}, and write its path as \`model\``,
      ),
    dataset: (name: DatasetName): Promise<Download> =>
      name.kind === 'beir'
        ? withSteps(
            beir(name.name),
            `put corpus.jsonl.gz and queries.jsonl.gz of ${PUBLIC}/datasets/BeIR/${name.name} and the .tsv files of ${PUBLIC}/datasets/BeIR/${name.name}-qrels, these below qrels/, into a folder, and write its path as \`dataset\``,
          )
        : withSteps(
            hubDataset(name),
            `put the files of ${PUBLIC}/datasets/${name.repo}/tree/${name.revision} into a folder, and write its path as \`dataset\``,
          ),
  }
}

async function withSteps<T>(work: Promise<T>, steps: string): Promise<T> {
  return work.catch((error) => {
    if (!(error instanceof Unreachable)) throw error
    const again = 'The same command goes on where it broke off; without a network'
    throw new Unreachable(`${error.message}. ${again}, ${steps}`)
  })
}

/**
 * Path of a dataset that a command is given: a name is downloaded; other texts and paths that exist are paths, relative to `folder`.
 */
export async function openNamed(name: string, folder: string, place: HubPlace): Promise<string> {
  const path = resolve(folder, name)
  if (existsSync(path) || !isRemote(name)) return path
  return (await openHub(place).dataset(datasetNameOf(name))).folder
}
