import { Stopped } from '../../stopping.ts'
import { vectorProblem } from '../embedder.ts'
import { loadTransformers, type ModelOptions } from './local-params.ts'
import { openModel } from './open.ts'

export interface SessionOptions extends ModelOptions {
  readonly pooling: 'mean' | 'cls'
}

interface ModelSession {
  /** The text's tokens as numbers, cut to `maxTokens`, with what the model puts around a text. */
  tokens(text: string): readonly number[]
  /**
   * The text's L2-normalised vector. One text a call: int8 models scale per batch, so in a batch a vector would depend on
   * its neighbours.
   */
  embed(text: string): Promise<Float32Array>
}

export async function openModelSession(options: SessionOptions): Promise<ModelSession> {
  const { encode, run, tried } = await openModel(options, 'AutoModel')
  const { mean_pooling } = await loadTransformers()
  return {
    tokens: (text) => encode(text).input_ids,
    embed: (text) =>
      tried(async () => {
        const { last_hidden_state: states, attention_mask: mask } = await run(encode(text))
        const pooled = options.pooling === 'mean' ? mean_pooling(states, mask) : states.slice(null, 0)
        return Float32Array.from(pooled.normalize(2, -1).data as Float32Array)
      }),
  }
}

/** Vectors of the texts; of the first ones only once the process is asked to stop. */
export async function embedUntilStopped(
  session: ModelSession,
  texts: readonly string[],
  done?: (count: number) => void,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  try {
    for (const text of texts) {
      vectors.push(await session.embed(text))
      done?.(1)
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  }
  return vectors
}

/** A sentence, another that shares its words and its matter, and one that shares neither. */
const TRIPLES = [
  ['That is a happy person', 'That is a very happy person', 'Today is a sunny day'],
  [
    'The bank raised its interest rates in March',
    'In March the bank raised interest rates again',
    'A cat slept on the warm kitchen floor',
  ],
  [
    'Wolves hunt in packs across the northern forest',
    'In the northern forest wolves hunt in packs',
    'She paid for two tickets at the station',
  ],
] as const

/** Tokens that hold each of these sentences. */
const UNCUT = 32

/**
 * Problem of a model, in words that follow "the model"; undefined if it tells texts apart as any embedding model
 * does. This finds an empty vocabulary and ruined weights. Only the hash of the files shows a few changed bytes.
 */
export async function localModelProblem(
  { tokens, embed }: Pick<ModelSession, 'tokens' | 'embed'>,
  { maxTokens }: Pick<SessionOptions, 'maxTokens'>,
): Promise<string | undefined> {
  // Truncated sentences show nothing.
  if (maxTokens < UNCUT) return undefined
  const texts = TRIPLES.flat()
  const words = new Set(texts.flatMap((text) => text.toLowerCase().split(' ')))
  const ids = new Set(texts.flatMap((text) => tokens(text)))
  if (ids.size < words.size / 2)
    return `gives most words the same tokens (${ids.size} different tokens in ${words.size} words); is the vocabulary in its tokenizer.json complete?`
  const vectors = new Map<string, Float32Array>()
  for (const text of texts) {
    const vector = await embed(text)
    const problem = vectorProblem(vector)
    if (problem) return `gives a vector that ${problem} to the text "${text}"`
    vectors.set(text, vector)
  }
  const cosine = (a: string, b: string) => dot(vectors.get(a), vectors.get(b))
  let gap = 0
  for (const [text, near, far] of TRIPLES) gap += cosine(text, near) - cosine(text, far)
  if (!(gap > 0))
    return 'puts sentences of the same words no nearer to each other than unrelated ones; its files are damaged'
  return undefined
}

function dot(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0)
}
