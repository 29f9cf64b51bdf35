import { basename } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { DTYPES, hashModel } from './folder.ts'
import { requirePackage } from './library.ts'
import { modelSettings } from './model-settings.ts'
import type { ModelOptions } from './open.ts'

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
 * Adds the hash of the files and the maximum of tokens. Throws a UserError for a folder without a model, a changed one,
 * or without the package.
 */
export function pinLocal<P extends LocalParams>(params: P): P {
  const filled = { ...params, maxTokens: params.maxTokens ?? modelSettings(params.model).maxTokens }
  const sha256 = hashModel(params.model, params.dtype)
  if (params.sha256 !== undefined && params.sha256 !== sha256)
    throw new UserError({
      file: params.model,
      message: 'the files of the model have changed since this was made',
    })
  requirePackage()
  return { ...filled, sha256 }
}

/** Key of pinned params: everything that decides an output, without the folder's path. */
export function localKey({ sha256, maxTokens = MAX_TOKENS, dtype }: LocalParams) {
  return { sha256, maxTokens, dtype }
}

export function localOptions(params: LocalParams): ModelOptions {
  const { model, dtype, maxTokens = MAX_TOKENS } = params
  return { model, dtype, maxTokens }
}

export function localName({ model, dtype, sha256 = '' }: LocalParams): string {
  return `${basename(model)} (${dtype}, ${sha256.slice(0, 12)})`
}
