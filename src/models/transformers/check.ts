import { vectorProblem } from '../vector-problem.ts'
import type { ModelSession, SessionOptions } from './session.ts'

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
