import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { native, Stopped, throwIfStopping } from '../../stopping.ts'
import type { TextReader } from '../../types.ts'
import { loadTransformers, type ModelOptions, type Tensor, weightsOf } from './local-params.ts'

export interface OpenModel {
  /** Encodes a text, or two, cut to `maxTokens`: `input_ids` and the arrays that go with them. */
  encode(text: string, pair?: string): Readonly<Record<string, readonly number[]>>
  /** Outputs of the model by name, and the mask. Throws `Stopped` once the process is asked to stop. */
  run(encoded: Readonly<Record<string, readonly number[]>>): Promise<Readonly<Record<string, Tensor>>>
  /** Runs `compute`, in whose errors the file of the weights is named. */
  tried<T>(compute: () => Promise<T>): Promise<T>
  fail(message: string): UserError
}

type Head = 'AutoModel' | 'AutoModelForSequenceClassification'

/** Letters of the library's words that a message quotes. */
const QUOTED = 300

/**
 * Loads tokenizer and model: some 0.3 s for a small one. One thread: more workers are faster than more threads. Throws a
 * UserError where a file is broken.
 */
export async function openModel(options: ModelOptions, head: Head): Promise<OpenModel> {
  const { library, from, weights, tried } = await openLibrary(options)
  const { AutoConfig, Tensor } = library
  await tried('config.json', async () => {
    const { model_type } = await AutoConfig.from_pretrained(options.model, from)
    if (!model_type) throw new Error('it names no `model_type`')
  })
  const { tokenize, limit, after } = await openTokenizer(options)
  const model = await tried(weights, () =>
    native(() =>
      library[head].from_pretrained(options.model, {
        ...from,
        dtype: options.dtype,
        device: 'cpu',
        session_options: { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 },
      }),
    ),
  )

  /** Cuts a list of tokens: the end of the text is lost, and not the tokens that the model adds after it. */
  function cut(list: readonly number[]): readonly number[] {
    return list.length <= limit ? list : [...list.slice(0, limit - after), ...list.slice(list.length - after)]
  }

  return {
    encode(text, pair) {
      const encoded = Object.entries(tokenize(text, true, pair))
      return Object.fromEntries(encoded.map(([name, list]) => [name, cut(list)]))
    },
    async run(encoded) {
      throwIfStopping()
      const inputs = Object.fromEntries(
        Object.entries(encoded).map(([name, list]) => [
          name,
          new Tensor('int64', BigInt64Array.from(list, BigInt), [1, list.length]),
        ]),
      )
      return { ...(await native(() => model(inputs))), attention_mask: inputs.attention_mask }
    },
    tried: (compute) => tried(weights, compute),
    fail: (message) => new UserError(`the model ${message}`, options.model),
  }
}

/** Opens the tokenizer of a model and not the model: what a text would be cut to. */
export async function openReader(options: ModelOptions, model: string): Promise<TextReader> {
  const { tokenize, limit } = await openTokenizer(options)
  const count = (text: string, pair?: string) => tokenize(text, true, pair).input_ids.length
  return { model, limit, count, around: count('a', 'a') - 2 * tokenize('a', false).input_ids.length }
}

async function openLibrary(options: ModelOptions) {
  const library = await loadTransformers().catch((error) => {
    // As where the C library of the system is not the one that its runtime was built for.
    throw new UserError(`the package that runs models in ONNX does not load on this system: ${words(error)}`)
  })
  const from = { local_files_only: true }
  const weights = weightsOf(options.dtype)
  const tried = async <T>(file: string, load: () => Promise<T> | T): Promise<T> => {
    try {
      return await load()
    } catch (error) {
      if (error instanceof UserError || error instanceof Stopped) throw error
      throw new UserError(`cannot be used: ${words(error)}`, join(options.model, file))
    }
  }
  return { library, from, weights, tried }
}

async function openTokenizer(options: ModelOptions) {
  const { library, from, tried } = await openLibrary(options)
  const { AutoTokenizer } = library
  const tokenizer = await tried('tokenizer.json', () => AutoTokenizer.from_pretrained(options.model, from))
  const tokenize = (text: string, add_special_tokens = true, text_pair?: string) =>
    tokenizer(text, { add_special_tokens, return_tensor: false, text_pair }) as Readonly<
      Record<string, number[]>
    >
  const { around, after } = await tried('tokenizer.json', () => {
    const bare = tokenize('a', false).input_ids
    const marked = tokenize('a').input_ids
    const markers = marked.length - bare.length
    return { around: markers, after: markers - Math.max(0, marked.indexOf(bare[0])) }
  })
  const limit = Math.min(options.maxTokens, tokenizer.model_max_length)
  if (limit <= around)
    throw new UserError(
      `\`maxTokens\` ${limit} leaves no token for the text: the model puts ${around} of its own around each`,
    )

  return { tokenize, limit, after }
}

/** The library's own words in one line, without the end of long ones. */
function words(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } }
  const line = [message ?? String(error), cause?.message].filter(Boolean).join(': ').replace(/\s+/g, ' ')
  return line.length > QUOTED ? `${line.slice(0, QUOTED)}...` : line
}
