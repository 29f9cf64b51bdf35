import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../errors.ts'
import { NAME as TOUCHSTONE } from '../../version.ts'

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
export interface Transformers {
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
