import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Around, Embedder, Role } from './embedder.ts'

const text = (role: string) => z.string().max(2000).describe(`before each ${role}`)

export const aroundShape = {
  prefix: z
    .strictObject({ query: text('query').default(''), passage: text('passage').default('') })
    .optional()
    .describe(
      "prefix that the model was trained with, for queries and passages, as {query: 'query: ', passage: 'passage: '} of e5; default: the model's known one",
    ),
  cut: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('keep this many first numbers of each vector, normalised again (for models trained for it)'),
}

/** The embedder for texts of one role. Throws a UserError where there is less than `cut` asks for. */
export function wrapEmbedder(embedder: Embedder, { prefix, cut }: Around, role: Role): Embedder {
  const before = prefix?.[role] ?? ''
  if (before === '' && cut === undefined) return embedder
  const { model, dims, embed } = embedder
  if (cut !== undefined && cut > dims)
    throw new UserError(`\`cut: ${cut}\` is more than the ${dims} numbers of a vector of ${model}`)
  const prefixed = (texts: readonly string[]) => texts.map((text) => before + text)
  return {
    model,
    dims: cut ?? dims,
    async embed(texts, progress, signal) {
      const vectors = await embed(prefixed(texts), progress, signal)
      return cut === undefined ? vectors : cutVectors(vectors, dims, cut)
    },
  }
}

/** The first `cut` numbers of each row, of length 1 again; zeros stay zeros. */
export function cutVectors(vectors: Float32Array, dims: number, cut: number): Float32Array {
  const rows = vectors.length / dims
  const kept = new Float32Array(rows * cut)
  for (let row = 0; row < rows; row++) {
    const first = vectors.subarray(row * dims, row * dims + cut)
    const length = Math.sqrt(first.reduce((sum, value) => sum + value * value, 0))
    if (length > 0)
      kept.set(
        first.map((value) => value / length),
        row * cut,
      )
  }
  return kept
}
