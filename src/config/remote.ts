import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { datasetFormats } from '../dataset/formats/index.ts'
import { datasetNameOf, hubNameOf, isRemote } from '../hub/names.ts'
import { type Download, type Hub, NotDownloaded } from '../hub/open.ts'
import { DTYPES, type Dtype, isFolder, requirePackage } from '../models/transformers/local-params.ts'
import { isMap } from '../text/json.ts'
import type { Json } from '../types.ts'
import { type Path, type Problem, problemsOf, rewritten } from './reading.ts'

interface Found {
  readonly path: Path
  fetch(): Promise<{ readonly download: Download; readonly instead: Json }>
}

const LOCAL = 'transformers'
const WITH_MODELS = ['prepare', 'rerankers', 'trials', 'judge']

/**
 * Downloads the datasets and models that a config names (`hf:owner/name`, `beir/scifact`). A path of an existing file is
 * no name.
 */
export async function fetchNamed(value: Record<string, unknown>, folderOf: (path: Path) => string, hub: Hub) {
  const remotes = [
    ...datasetsIn(value.dataset, folderOf, hub),
    ...WITH_MODELS.flatMap((key) => modelsIn(value[key], [key], value, folderOf, hub)),
  ]
  const problems: Problem[] = []
  const missing: { path: Path; error: NotDownloaded }[] = []
  const downloads = new Map<string, Download>()
  const rewrites: { path: Path; on: 'value'; value: Json }[] = []
  for (const { path, fetch } of remotes) {
    try {
      const { download, instead } = await fetch()
      downloads.set(`${download.name} ${Object.keys(download.files).join(' ')}`, download)
      rewrites.push({ path, on: 'value', value: instead })
    } catch (error) {
      if (error instanceof NotDownloaded) missing.push({ path, error })
      else problems.push(...problemsOf(error, path))
    }
  }
  const changed = rewrites.length > 0 ? rewritten(value as Json, rewrites) : value
  return { value: changed as Record<string, unknown>, problems, downloads: [...downloads.values()], missing }
}

function datasetsIn(
  raw: unknown,
  folderOf: (path: Path) => string,
  hub: Hub,
  path: Path = ['dataset'],
  config?: unknown,
): Found[] {
  if (Array.isArray(raw))
    return raw.flatMap((item, index) => datasetsIn(item, folderOf, hub, [...path, index]))
  if (isMap(raw))
    return Object.entries(raw).flatMap(([format, params]) =>
      isMap(params) && typeof params.path === 'string'
        ? datasetsIn(params.path, folderOf, hub, [...path, format, 'path'], params.config)
        : typeof params === 'string' && datasetFormats.byName.has(format)
          ? datasetsIn(params, folderOf, hub, [...path, format])
          : [],
    )
  if (typeof raw !== 'string' || !isRemote(raw) || existsSync(resolve(folderOf(path), raw))) return []
  return [
    {
      path,
      async fetch() {
        const name = datasetNameOf(raw)
        const hasConfig = name.kind === 'hub' && name.config === undefined && typeof config === 'string'
        const download = await hub.dataset(hasConfig ? { ...name, config } : name)
        return { download, instead: download.folder }
      },
    },
  ]
}

/** Names anywhere below a key: `hf:owner/name` as a choice, or the `model` of a local one. */
function modelsIn(
  raw: unknown,
  path: Path,
  config: Record<string, unknown>,
  folderOf: (path: Path) => string,
  hub: Hub,
): Found[] {
  if (Array.isArray(raw))
    return raw.flatMap((item, index) => modelsIn(item, [...path, index], config, folderOf, hub))
  if (isMap(raw))
    return Object.entries(raw).flatMap(([key, item]) => modelsIn(item, [...path, key], config, folderOf, hub))
  if (typeof raw !== 'string') return []
  const keys = path.filter((part) => typeof part === 'string' && part !== 'grid')
  const isParam = keys.at(-1) === 'model' && keys.at(-2) === LOCAL
  const isName = raw.startsWith('hf:') || (isParam && /^[^/\\]+\/[^/\\]+$/.test(raw) && !isFolder(raw))
  if (!isName || (isParam && existsSync(resolve(folderOf(path), raw)))) return []
  return [
    {
      path,
      async fetch() {
        const name = hubNameOf(raw)
        // Without the package a download would be in vain.
        requirePackage()
        const params = isParam ? paramsAround(config, path) : {}
        const download = await hub.model(name, dtypesOf(params))
        return { download, instead: isParam ? download.folder : { [LOCAL]: { model: download.folder } } }
      },
    },
  ]
}

/** Params next to a `model`, those in a grid included. */
function paramsAround(config: unknown, path: Path): Record<string, unknown> {
  const kind = path.lastIndexOf(LOCAL)
  const params = path
    .slice(0, kind + 1)
    .reduce((value: unknown, key) => (value as Record<string, unknown>)?.[key], config)
  if (!isMap(params)) return {}
  const grid = isMap(params.grid) ? params.grid : {}
  return { ...params, ...grid }
}

function dtypesOf({ dtype }: Record<string, unknown>): Dtype[] {
  const dtypes = (Array.isArray(dtype) ? dtype : [dtype]).filter((item): item is Dtype =>
    DTYPES.includes(item),
  )
  return dtypes.length > 0 ? dtypes : ['q8']
}
