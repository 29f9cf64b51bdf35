import { createRequire } from 'node:module'
import { UserError } from '../../errors.ts'
import type { Dtype } from './folder.ts'

/** What a model is opened with. */
export interface SessionOptions {
  /** A folder, or a name on the hub. */
  readonly model: string
  readonly local: boolean
  readonly revision: string
  readonly dtype: Dtype
  readonly maxTokens: number
  readonly pooling: 'mean' | 'cls'
}

/** One text to its L2-normalised vector. One text a call: int8 models scale per batch, so in a batch a vector would depend on its neighbours. */
export type Session = (text: string) => Promise<Float32Array>

const PACKAGE = '@huggingface/transformers'

/** The package stands among the optional dependencies. Throws a UserError saying how to get it where it is not there. */
export function requirePackage(): void {
  try {
    createRequire(import.meta.url).resolve(PACKAGE)
  } catch {
    throw new UserError(
      `the embedder \`transformers\` needs the package ${PACKAGE}, which is not installed: npm install ${PACKAGE}@4`,
    )
  }
}

function hubOptions({ local, revision }: SessionOptions) {
  return { revision, local_files_only: local }
}

/** The model's config.json, as the library finds it. */
export async function readConfig(options: SessionOptions): Promise<unknown> {
  const { AutoConfig } = await import('@huggingface/transformers')
  return AutoConfig.from_pretrained(options.model, hubOptions(options))
}

/** Loads tokenizer and model: some 0.3 s for a small one. One thread: more workers are faster than more threads. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { AutoModel, AutoTokenizer, mean_pooling } = await import('@huggingface/transformers')
  const tokenizer = await AutoTokenizer.from_pretrained(options.model, hubOptions(options))
  const model = await AutoModel.from_pretrained(options.model, {
    ...hubOptions(options),
    dtype: options.dtype,
    device: 'cpu',
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  })
  return async (text) => {
    const inputs = await tokenizer(text, { truncation: true, max_length: options.maxTokens })
    const { last_hidden_state: states } = await model(inputs)
    const pooled =
      options.pooling === 'mean' ? mean_pooling(states, inputs.attention_mask) : states.slice(null, 0)
    return Float32Array.from(pooled.normalize(2, -1).data as Float32Array)
  }
}
