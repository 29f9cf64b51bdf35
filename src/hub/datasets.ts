import { UserError } from '../errors.ts'
import { CARD, type CardConfig, cardConfigs } from '../text/dataset-card.ts'
import { didYouMean } from '../text/nearest.ts'
import type { RemoteFile } from './client.ts'

const DATA = /\.(?:parquet|jsonl?|csv|tsv|txt)(?:\.gz)?$/i
const DESCRIPTIONS: ReadonlySet<string> = new Set(['dataset_infos.json', 'dataset_info.json', 'state.json'])

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
  const configurations = cardConfigs(card)
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
  configurations: readonly CardConfig[],
  repo: string,
): readonly RemoteFile[] {
  const names = configurations.map(({ name }) => name)
  if (names.length <= 1 || (names.includes('corpus') && names.includes('queries'))) return data
  const usual = configurations.find(({ isDefault }) => isDefault)
  if (usual) return matching(data, [usual])
  const shown = names.slice(0, 20).join(', ')
  throw new UserError(
    `the dataset \`${repo}\` has ${names.length} configurations; name one, as \`hf:${repo}#${names[0]}\`: ${shown}${names.length > 20 ? ', ...' : ''}`,
  )
}

function of(
  config: string,
  data: readonly RemoteFile[],
  configurations: readonly CardConfig[],
  repo: string,
): readonly RemoteFile[] {
  const [found] = configurations.filter(({ name }) => name === config)
  // A retrieval dataset of several parts has de-corpus, de-queries and de-qrels.
  const parts = configurations.filter(({ name }) => name.startsWith(`${config}-`))
  const named = found ? [found] : parts
  const below = named.some(({ splits }) => splits.length > 0)
    ? matching(data, named)
    : data.filter(({ path }) => path.startsWith(`${config}/`))
  if (below.length > 0) return below
  const folders = data.flatMap(({ path }) => (path.includes('/') ? [path.split('/')[0]] : []))
  const names = [...new Set([...configurations.map(({ name }) => name), ...folders])]
  throw new UserError(
    `the dataset \`${repo}\` has no configuration \`${config}\`${didYouMean(config, names)}${names.length > 0 ? `; there are ${names.slice(0, 20).join(', ')}` : ''}`,
  )
}

function matching(data: readonly RemoteFile[], configs: readonly CardConfig[]): RemoteFile[] {
  const splits = configs.flatMap((config) => config.splits)
  return data.filter(({ path }) => splits.some(({ has }) => has(path)))
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
      ? lines
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
