import { UserError } from '../errors.ts'
import { type Dtype, weightsOf } from '../models/transformers/folder.ts'
import type { RemoteFile } from './client.ts'

const REQUIRED = ['config.json', 'tokenizer.json']
/** Files of sentence-transformers and of tokenizers that say how a model is used. */
const HELPFUL: readonly string[] = [
  'tokenizer_config.json',
  'special_tokens_map.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
]

/** Files that a model needs on this machine, without a network; for messages. */
export function modelFiles(dtypes: readonly Dtype[]): string[] {
  return [...REQUIRED, 'tokenizer_config.json', ...dtypes.map(weightsOf)]
}

/** Files of a model's repository that these precisions need. Throws a UserError for a repository without such weights. */
export function selectModel(
  files: readonly RemoteFile[],
  dtypes: readonly Dtype[],
  name: string,
): RemoteFile[] {
  const weights = dtypes.map(weightsOf)
  const missing = [...REQUIRED, ...weights].filter((file) => !files.some(({ path }) => path === file))
  if (missing.length > 0) {
    const onnx = files.filter(({ path }) => path.endsWith('.onnx')).map(({ path }) => path)
    const there =
      onnx.length > 0
        ? `its ONNX files are ${onnx.join(', ')}; name one by \`dtype\``
        : `it has no ONNX files; look for an export, as Xenova/${name.split('/')[1]} or onnx-community/${name.split('/')[1]}`
    throw new UserError(`the model \`${name}\` lacks ${missing.join(', ')}: ${there}`)
  }
  // Large models have their weights in files next to the graph.
  return files.filter(
    ({ path }) =>
      REQUIRED.includes(path) ||
      HELPFUL.includes(path) ||
      weights.some((file) => path === file || path.startsWith(`${file}_data`)),
  )
}

/** Model for a first experiment. */
export interface RecommendedModel {
  readonly repo: string
  readonly language: string
  /** Size of the int8 weights and the tokenizer, about. */
  readonly megabytes: number
}

/** Models with measured results (docs/embedders.md), the best first. */
export const RECOMMENDED: readonly RecommendedModel[] = [
  { repo: 'Xenova/bge-small-en-v1.5', language: 'English', megabytes: 35 },
  { repo: 'Xenova/all-MiniLM-L6-v2', language: 'English', megabytes: 24 },
]

/** Model for texts that are not English, and for several languages. */
export const MULTILINGUAL: RecommendedModel = {
  repo: 'Xenova/multilingual-e5-small',
  language: 'about 100 languages',
  megabytes: 135,
}
