import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { hashOf, sha256File } from '../../store/hash.ts'
import { NAME as TOUCHSTONE } from '../../version.ts'
import { modelSettings } from './model-settings.ts'

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

export function isFolder(model: string): boolean {
  return /^(\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(model) || existsSync(model)
}

/** Hash of the files that vectors depend on. Throws a UserError with the missing files. */
export function hashModel(folder: string, dtype: Dtype): string {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new UserError(
      'is not a folder; `model` needs one that holds an ONNX model, or `hf:owner/name`',
      folder,
    )
  const weights = weightsOf(dtype)
  const wanted = ['config.json', 'tokenizer.json', weights]
  const has = (file: string) => statSync(join(folder, file), { throwIfNoEntry: false })?.isFile()
  const missing = wanted.filter((file) => !has(file))
  if (missing.length > 0)
    throw new UserError(
      `is not a model folder for dtype ${dtype}: it lacks ${missing.join(', ')}${available(folder)}`,
      folder,
    )
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

export const localShape = {
  model: z
    .string()
    .min(1)
    .meta({ path: 'maybe' })
    .describe(
      'a folder with an ONNX model, or `hf:owner/name` or `hf:owner/name@revision` on the Hugging Face hub, which is downloaded once',
    ),
  maxTokens: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      "maximum tokens of a text, longer ones are cut; default: the value in the model's files, else 256",
    ),
  dtype: z.enum(DTYPES).default('q8').describe("the export's precision; q8 is int8"),
  sha256: z.string().optional().describe("the hash of the folder's files; filled in"),
}
const shape = z.strictObject(localShape)
type LocalParams = z.output<typeof shape>

const MAX_TOKENS = 256

/**
 * Adds the hash of the files and the maximum of tokens. Throws a UserError for a folder without a model or changed
 * files, or without the package.
 */
export function pinLocal<P extends LocalParams>(params: P): P {
  const filled = { ...params, maxTokens: params.maxTokens ?? modelSettings(params.model).maxTokens }
  const sha256 = hashModel(params.model, params.dtype)
  if (params.sha256 !== undefined && params.sha256 !== sha256)
    throw new UserError('the files of the model have changed since this was made', params.model)
  requirePackage()
  return { ...filled, sha256 }
}

/** Everything that decides an output, without the folder's path. */
export function localKey({ sha256, maxTokens = MAX_TOKENS, dtype }: LocalParams) {
  return { sha256, maxTokens, dtype }
}

export interface ModelOptions {
  readonly model: string
  readonly dtype: Dtype
  readonly maxTokens: number
}

export function localOptions(params: LocalParams): ModelOptions {
  const { model, dtype, maxTokens = MAX_TOKENS } = params
  return { model, dtype, maxTokens }
}

export function localName({ model, dtype, sha256 = '' }: LocalParams): string {
  return `${basename(model)} (${dtype}, ${sha256.slice(0, 12)})`
}

/** With the version of package.json's optional peer; a test compares the two. */
export const PACKAGE = '@huggingface/transformers@4.3.1'
const NAME = PACKAGE.slice(0, PACKAGE.lastIndexOf('@'))
const HERE = dirname(fileURLToPath(import.meta.url))

export interface Tensor {
  readonly dims: readonly number[]
  readonly data: ArrayLike<number>
  normalize(p: number, dim: number): Tensor
  slice(...slices: readonly (number | null)[]): Tensor
}

type Loader<T> = { from_pretrained(folder: string, options: object): Promise<T> }
type Model = (inputs: object) => Promise<Record<string, Tensor>>

/** The parts of transformers.js that are used. The package may be missing, and its types with it. */
interface Transformers {
  readonly AutoConfig: Loader<{ readonly model_type?: string }>
  readonly AutoTokenizer: Loader<
    ((text: string, options: object) => Readonly<Record<string, number[]>>) & {
      readonly model_max_length: number
    }
  >
  readonly AutoModel: Loader<Model>
  readonly AutoModelForSequenceClassification: Loader<Model>
  readonly Tensor: new (type: string, data: BigInt64Array, dims: readonly number[]) => Tensor
  mean_pooling(states: Tensor, mask: Tensor): Tensor
}

/** Throws Node's error if the package is missing, or its own if it does not fit the system. */
export async function loadTransformers(): Promise<Transformers> {
  const name = NAME
  return await import(name)
}

export function hasTransformers(): boolean {
  try {
    createRequire(import.meta.url).resolve(NAME)
    return true
  } catch {
    return false
  }
}

export function requirePackage(): void {
  if (!hasTransformers())
    throw new UserError(
      `a model in ONNX needs the package ${NAME}, which is not installed (about 480 MB). Install it: npm ${installArguments().join(' ')}; \`embedder: lsa\` needs no package`,
    )
}

export function installArguments(here = HERE): string[] {
  const modules = `${sep}${join('node_modules', TOUCHSTONE)}${sep}`
  const at = here.lastIndexOf(modules)
  const root = at < 0 ? dirname(dirname(dirname(here))) : here.slice(0, at)
  const place = root.endsWith(`${sep}lib`) ? ['--global'] : ['--prefix', root]
  // In a clone npm takes the optional peer for fulfilled unless asked.
  const unsaved = at < 0 ? ['--no-save', '--save-peer'] : []
  // Without scripts: the runtime's script fetches libraries of graphics cards.
  return ['install', ...place, ...unsaved, '--ignore-scripts', PACKAGE]
}
