import { UserError } from '../errors.ts'
import { didYouMean } from '../text/nearest.ts'
import { createPattern } from '../text/patterns.ts'
import { parseYaml } from '../text/yaml.ts'
import type { RemoteFile } from './client.ts'

const DATA = /\.(?:parquet|jsonl?|csv|tsv|txt)(?:\.gz)?$/i
const DESCRIPTIONS: ReadonlySet<string> = new Set(['dataset_infos.json', 'dataset_info.json', 'state.json'])

export const CARD = 'README.md'

/** Configuration of a dataset card: a name and the patterns of its files. */
interface Configuration {
  readonly name: string
  readonly patterns: readonly string[]
  readonly isDefault: boolean
}

/**
 * Files of a dataset's repository: those of one configuration, of the only one, or of all if they are the parts of one
 * retrieval dataset (corpus, queries, ...). Throws a UserError if a configuration has to be chosen, or has no data file.
 */
export function selectDataset(
  files: readonly RemoteFile[],
  card: string,
  repo: string,
  config: string | undefined,
): RemoteFile[] {
  const data = files.filter(({ path }) => DATA.test(path) && !DESCRIPTIONS.has(path) && !path.startsWith('.'))
  const configurations = configurationsOf(card)
  const selected =
    config === undefined ? whole(data, configurations, repo) : of(config, data, configurations, repo)
  if (selected.length === 0) {
    const others = files.map(({ path }) => path).filter((path) => !path.startsWith('.') && path !== CARD)
    throw new UserError(
      `the dataset \`${repo}\` has no Parquet, JSON, CSV or text file${others.length > 0 ? `; it has ${others.slice(0, 10).join(', ')}` : ''}`,
    )
  }
  return [...files.filter(({ path }) => path === CARD), ...selected]
}

function whole(
  data: readonly RemoteFile[],
  configurations: readonly Configuration[],
  repo: string,
): readonly RemoteFile[] {
  const names = configurations.map(({ name }) => name)
  if (names.length <= 1 || (names.includes('corpus') && names.includes('queries'))) return data
  const usual = configurations.find(({ isDefault }) => isDefault)
  if (usual) return matching(data, usual.patterns)
  const shown = names.slice(0, 20).join(', ')
  throw new UserError(
    `the dataset \`${repo}\` has ${names.length} configurations; name one, as \`hf:${repo}#${names[0]}\`: ${shown}${names.length > 20 ? ', ...' : ''}`,
  )
}

function of(
  config: string,
  data: readonly RemoteFile[],
  configurations: readonly Configuration[],
  repo: string,
): readonly RemoteFile[] {
  const [found] = configurations.filter(({ name }) => name === config)
  // A retrieval dataset of several parts has de-corpus, de-queries and de-qrels.
  const parts = configurations.filter(({ name }) => name.startsWith(`${config}-`))
  const patterns = found ? found.patterns : parts.flatMap((part) => part.patterns)
  const below = matching(data, patterns.length > 0 ? patterns : [`${config}/**`])
  if (below.length > 0) return below
  const folders = data.flatMap(({ path }) => (path.includes('/') ? [path.split('/')[0]] : []))
  const names = [...new Set([...configurations.map(({ name }) => name), ...folders])]
  throw new UserError(
    `the dataset \`${repo}\` has no configuration \`${config}\`${didYouMean(config, names)}${names.length > 0 ? `; there are ${names.slice(0, 20).join(', ')}` : ''}`,
  )
}

function matching(data: readonly RemoteFile[], patterns: readonly string[]): RemoteFile[] {
  const accepted = patterns.map(accepts)
  return data.filter(({ path }) => accepted.some((accept) => accept(path)))
}

/** Test of a path against a pattern of a dataset card, in which `*` matches within a folder and `**` across folders. */
function accepts(pattern: string): (path: string) => boolean {
  const parts = pattern.split(/(\*\*\/?|\*|\?)/)
  const source = parts.map((part) => {
    if (part.startsWith('**')) return '.*'
    if (part === '*') return '[^/]*'
    return part === '?' ? '[^/]' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  // A card's author may write a pattern that takes backtracking matchers for ever.
  return createPattern(`^${source.join('')}$`).isIn
}

/** `configs` of a dataset card's front matter; none where the card has none or cannot be read. */
function configurationsOf(card: string): Configuration[] {
  const [, front] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(card) ?? []
  if (front === undefined) return []
  const { value, readable } = parseYaml(front, CARD)
  const configs = readable ? (value as { configs?: unknown } | null)?.configs : undefined
  if (!Array.isArray(configs)) return []
  return configs.flatMap((one): Configuration[] => {
    const { config_name: name, data_files: given, default: usual } = (one ?? {}) as Record<string, unknown>
    if (typeof name !== 'string') return []
    return [{ name, patterns: pathsIn(given), isDefault: usual === true || name === 'default' }]
  })
}

/** Paths in `data_files`: a text, a list, a map by split, or a list of `{split, path}`. */
function pathsIn(given: unknown): string[] {
  if (typeof given === 'string') return [given.replace(/^\.\//, '')]
  if (Array.isArray(given)) return given.flatMap(pathsIn)
  if (typeof given !== 'object' || given === null) return []
  const { path, ...others } = given as Record<string, unknown>
  return path === undefined ? Object.values(others).flatMap(pathsIn) : pathsIn(path)
}

/**
 * Files of a BEIR dataset in the layout of a BEIR folder: corpus and queries from one repository, qrels from the other.
 * Gives the path within the folder of each.
 */
export function selectBeir(
  files: readonly RemoteFile[],
  qrels: readonly RemoteFile[],
  name: string,
): { readonly texts: Map<RemoteFile, string>; readonly labels: Map<RemoteFile, string> } {
  const part = (kind: string) => {
    const lines = files.filter(({ path }) => path === `${kind}.jsonl.gz` || path === `${kind}.jsonl`)
    return lines.length > 0
      ? lines.slice(0, 1)
      : files.filter(({ path }) => path.startsWith(`${kind}/`) && path.endsWith('.parquet'))
  }
  const texts = [...part('corpus'), ...part('queries')]
  const labels = qrels.filter(({ path }) => /^[\w.-]+\.tsv$/.test(path))
  if (part('corpus').length === 0 || part('queries').length === 0 || labels.length === 0)
    throw new UserError(
      `the repositories of \`beir/${name}\` have another layout than is known here; download the dataset by hand and write its folder's path as \`dataset\``,
    )
  return {
    texts: new Map(texts.map((file) => [file, file.path])),
    labels: new Map(labels.map((file) => [file, `qrels/${file.path}`])),
  }
}
