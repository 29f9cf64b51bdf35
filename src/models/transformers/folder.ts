import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { hashOf, sha256File } from '../../store/hash.ts'

/** Precisions of an ONNX export and what their files end in, as on the hub (`onnx/model_quantized.onnx`). */
export const DTYPES = ['q8', 'fp32', 'fp16', 'int8', 'uint8', 'q4'] as const
export type Dtype = (typeof DTYPES)[number]

const SUFFIXES: Readonly<Record<Dtype, string>> = {
  q8: '_quantized',
  fp32: '',
  fp16: '_fp16',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
}

export function weightsOf(dtype: Dtype): string {
  return `onnx/model${SUFFIXES[dtype]}.onnx`
}

/** True if `model` names a folder on this machine and not a model of the hub (`owner/name`). */
export function isFolder(model: string): boolean {
  return /^(\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(model) || existsSync(model)
}

/**
 * The hash of a model folder's files that a vector depends on. Throws a UserError naming what is missing where the
 * folder holds no model of this precision.
 */
export function hashModel(folder: string, dtype: Dtype): string {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new UserError({
      file: folder,
      message: 'is not a folder; `model` needs one that holds an ONNX model, or `hf:owner/name`',
    })
  const weights = weightsOf(dtype)
  const wanted = ['config.json', 'tokenizer.json', weights]
  const has = (file: string) => statSync(join(folder, file), { throwIfNoEntry: false })?.isFile()
  const missing = wanted.filter((file) => !has(file))
  if (missing.length > 0)
    throw new UserError({
      file: folder,
      message: `is not a model folder for dtype ${dtype}: it lacks ${missing.join(', ')}${available(folder)}`,
    })
  // Large models have their weights in files next to the graph.
  const more = readdirSync(join(folder, 'onnx')).filter((file) =>
    `onnx/${file}`.startsWith(`${weights}_data`),
  )
  const files = [...wanted, 'tokenizer_config.json', ...more.map((file) => `onnx/${file}`)]
  return hashOf(
    files
      .filter(has)
      .sort()
      .map((file) => [file, sha256File(join(folder, file))]),
  )
}

function available(folder: string): string {
  const onnx = join(folder, 'onnx')
  const files = existsSync(onnx) ? readdirSync(onnx).filter((file) => file.endsWith('.onnx')) : []
  return files.length > 0 ? ` (its onnx folder has ${files.sort().join(', ')})` : ''
}
