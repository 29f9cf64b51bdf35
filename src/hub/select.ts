import { UserError } from '../errors.ts'
import { type Dtype, weightsOf } from '../models/transformers/local-params.ts'
import { CARD, cardConfigs } from '../text/dataset-card.ts'
import type { RemoteFile } from './client.ts'

const REQUIRED = ['config.json', 'tokenizer.json']
/** Files of sentence-transformers and of tokenizers that say how a model is used. */
const HELPFUL =
  /^(?:tokenizer_config|special_tokens_map|1_Pooling\/config|sentence_bert_config|config_sentence_transformers)\.json$/

/** Files of a model's repository that these precisions need. Throws a UserError for a repository without such weights. */
export function selectModel(
  files: readonly RemoteFile[],
  dtypes: readonly Dtype[],
  name: string,
): RemoteFile[] {
  const needed = [...REQUIRED, ...dtypes.map(weightsOf)]
  const missing = needed.filter((file) => !files.some(({ path }) => path === file))
  // Large models have their weights in files next to the graph.
  const isNeeded = (path: string) => needed.some((file) => path === file || path.startsWith(`${file}_data`))
  if (missing.length === 0) return files.filter(({ path }) => isNeeded(path) || HELPFUL.test(path))
  const onnx = files.filter(({ path }) => path.endsWith('.onnx')).map(({ path }) => path)
  const repository = name.split('/')[1]
  throw new UserError(
    `the model \`${name}\` lacks ${missing.join(', ')}: ${onnx.length > 0 ? `its ONNX files are ${onnx.join(', ')}; name one by \`dtype\`` : `it has no ONNX files; look for an export, as Xenova/${repository} or onnx-community/${repository}`}`,
  )
}

const DATA = /\.(?:parquet|jsonl?|csv|tsv|txt)(?:\.gz)?$/i
const DESCRIPTIONS: ReadonlySet<string> = new Set(['dataset_infos.json', 'dataset_info.json', 'state.json'])

/**
 * Files of a dataset's repository: those of one configuration, of the only one, or of all parts of one retrieval dataset (corpus,
 * queries, ...). Throws a UserError if a configuration has to be chosen, or has no data file.
 */
export function selectDataset(
  files: readonly RemoteFile[],
  card: string,
  repo: string,
  config: string | undefined,
): RemoteFile[] {
  const shown = (all: Iterable<string>) => [...new Set(all)].slice(0, 20).join(', ')
  const data = files.filter(({ path }) => DATA.test(path) && !DESCRIPTIONS.has(path) && !path.startsWith('.'))
  const configs = cardConfigs(card)
  const names = configs.map(({ name }) => name)
  const isWhole = names.length <= 1 || (names.includes('corpus') && names.includes('queries'))
  // A retrieval dataset of several parts has de-corpus, de-queries and de-qrels.
  const isNamed = (name: string) =>
    names.includes(config ?? '') ? name === config : name.startsWith(`${config}-`)
  const chosen = configs.filter(({ name, isDefault }) => (config === undefined ? isDefault : isNamed(name)))
  if (config === undefined && !isWhole && chosen.length === 0)
    throw new UserError(
      `the dataset \`${repo}\` has ${names.length} configurations; name one, as \`hf:${repo}#${names[0]}\`: ${shown(names)}`,
    )
  const splits = chosen.flatMap((config) => config.splits)
  const selected = data.filter(({ path }) => {
    if (config === undefined && isWhole) return true
    return splits.length > 0 ? splits.some(({ has }) => has(path)) : path.startsWith(`${config}/`)
  })
  if (selected.length === 0)
    throw new UserError(
      config === undefined
        ? `the dataset \`${repo}\` has no Parquet, JSON, CSV or text file; it has ${shown(files.map(({ path }) => path))}`
        : `the dataset \`${repo}\` has no configuration \`${config}\`; it has ${shown([...names, ...data.map(({ path }) => path.split('/')[0])])}`,
    )
  return [...files.filter(({ path }) => path === CARD), ...selected]
}

/** Files of a BEIR dataset: corpus and queries from one repository, the labels of every split from the other. */
export function selectBeir(
  files: readonly RemoteFile[],
  qrels: readonly RemoteFile[],
  name: string,
): { readonly texts: readonly RemoteFile[]; readonly labels: readonly RemoteFile[] } {
  const part = (kind: string) => {
    const lines = files.filter(({ path }) => path === `${kind}.jsonl.gz` || path === `${kind}.jsonl`)
    return lines.length > 0
      ? lines
      : files.filter(({ path }) => path.startsWith(`${kind}/`) && path.endsWith('.parquet'))
  }
  const [corpus, queries] = [part('corpus'), part('queries')]
  const labels = qrels.filter(({ path }) => /^[\w.-]+\.tsv$/.test(path))
  if (corpus.length === 0 || queries.length === 0 || labels.length === 0)
    throw new UserError(
      `the repositories of \`beir/${name}\` have another layout than is known here; download the dataset by hand and write its folder's path as \`dataset\``,
    )
  return { texts: [...corpus, ...queries], labels }
}
