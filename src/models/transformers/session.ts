import { createRequire } from 'node:module'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { type Dtype, weightsOf } from './folder.ts'

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

/** A loaded model. */
export interface Session {
  /** The text's tokens as numbers, cut to `maxTokens`, with what the model puts around a text. */
  tokens(text: string): readonly number[]
  /**
   * The text's L2-normalised vector. One text a call: int8 models scale per batch, so in a batch a vector would depend on
   * its neighbours.
   */
  embed(text: string): Promise<Float32Array>
  /** The vectors of the text's tokens, row after row, each L2-normalised. */
  embedTokens(text: string): Promise<Float32Array>
}

const PACKAGE = '@huggingface/transformers'
/** Letters of the library's words that a message quotes. */
const QUOTED = 300

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

/**
 * Loads tokenizer and model: some 0.3 s for a small one. One thread: more workers are faster than more threads. Throws a
 * UserError where a file is broken, or where the hub's cannot be had.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { AutoConfig, AutoModel, AutoTokenizer, env, mean_pooling, Tensor } = await import(
    '@huggingface/transformers'
  )
  const from = { revision: options.revision, local_files_only: options.local }
  const weights = weightsOf(options.dtype)
  const tried = async <T>(file: string, load: () => Promise<T> | T): Promise<T> => {
    try {
      return await load()
    } catch (error) {
      if (error instanceof UserError) throw error
      throw new UserError(
        options.local
          ? { file: join(options.model, file), message: `cannot be used: ${words(error)}` }
          : `the model \`${options.model}\` (revision ${options.revision}) could not be loaded from the Hugging Face hub: ${words(error)}. config.json, tokenizer.json and ${weights} were looked for there and in ${env.cacheDir}; without a network, put these files into a folder and write its path as \`model\`, beginning with ./ or /`,
      )
    }
  }
  await tried('config.json', async () => {
    const { model_type } = await AutoConfig.from_pretrained(options.model, from)
    if (!model_type) throw new Error('it names no `model_type`')
  })
  const tokenizer = await tried('tokenizer.json', () => AutoTokenizer.from_pretrained(options.model, from))
  const model = await tried(weights, () =>
    AutoModel.from_pretrained(options.model, {
      ...from,
      dtype: options.dtype,
      device: 'cpu',
      session_options: { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 },
    }),
  )
  const encode = (text: string, add_special_tokens = true) =>
    tokenizer(text, { add_special_tokens, return_tensor: false }) as Readonly<Record<string, number[]>>
  const { around, after } = await tried('tokenizer.json', () => {
    const alone = encode('a', false).input_ids
    const marked = encode('a').input_ids
    const around = marked.length - alone.length
    return { around, after: around - Math.max(0, marked.indexOf(alone[0])) }
  })
  const limit = Math.min(options.maxTokens, tokenizer.model_max_length)
  if (limit <= around)
    throw new UserError(
      `\`maxTokens\` ${limit} leaves no token for the text: the model puts ${around} of its own around each`,
    )

  /** What is too long loses the end of its text and not the tokens that the model puts after it. */
  function cut(list: readonly number[]): readonly number[] {
    return list.length <= limit ? list : [...list.slice(0, limit - after), ...list.slice(list.length - after)]
  }

  async function run(text: string) {
    const inputs = Object.fromEntries(
      Object.entries(encode(text)).map(([name, list]) => {
        const numbers = cut(list)
        return [name, new Tensor('int64', BigInt64Array.from(numbers, BigInt), [1, numbers.length])]
      }),
    )
    const { last_hidden_state: states } = await model(inputs)
    return { states, mask: inputs.attention_mask }
  }

  return {
    tokens: (text) => cut(encode(text).input_ids),
    embed: (text) =>
      tried(weights, async () => {
        const { states, mask } = await run(text)
        const pooled = options.pooling === 'mean' ? mean_pooling(states, mask) : states.slice(null, 0)
        return Float32Array.from(pooled.normalize(2, -1).data as Float32Array)
      }),
    embedTokens: (text) =>
      tried(weights, async () => {
        const { states } = await run(text)
        return Float32Array.from(states.normalize(2, -1).data as Float32Array)
      }),
  }
}

/** The library's own words in one line, without the end of long ones. */
function words(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } }
  const line = [message ?? String(error), cause?.message].filter(Boolean).join(': ').replace(/\s+/g, ' ')
  return line.length > QUOTED ? `${line.slice(0, QUOTED)}...` : line
}
