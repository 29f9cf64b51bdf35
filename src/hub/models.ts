import { UserError } from '../errors.ts'
import { type Dtype, weightsOf } from '../models/transformers/folder.ts'
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
