import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Json } from '../types.ts'

/** Turns texts into vectors: the same for a text, alone or in any batch. */
export interface Embedder {
  /** Name in reports and table metadata. */
  readonly model: string
  readonly dims: number
  readonly embed: Embedding
}

/**
 * Rows of L2-normalised float32, `texts.length * dims` long; a zero row if the embedder knows nothing of a text.
 * Asked to stop, it may give the vectors of the first texts only. Requests end with the reason of `signal`.
 */
export type Embedding = (
  texts: readonly string[],
  progress?: (done: number, total: number) => void,
  signal?: AbortSignal,
) => Promise<Float32Array>

/** A text that a server refuses to embed. `position`: index among the texts; `owner`: as `query q3`. */
export class RefusedText extends UserError {
  readonly position: number
  readonly text: string
  readonly reason: string

  constructor(position: number, text: string, reason: string, owner?: string) {
    super(
      `${owner === undefined ? '' : `${owner}: `}the server of the embedder refuses the text ${quoted(text)}: ${reason}`,
    )
    this.position = position
    this.text = text
    this.reason = reason
  }
}

/** Some models treat the two differently. */
export type Role = 'query' | 'passage'

export type Prefix = Readonly<Record<Role, string>>

/** Changes around a model, whose own vectors are stored once. */
export interface Around {
  readonly prefix?: Prefix
  readonly cut?: number
}

/** Requests that a server gets at once. */
export interface Requests {
  readonly atOnce: number
  /** Texts of a request. */
  readonly texts: number
}

const MIN = 2 ** -126
const GREATEST = (2 - 2 ** -23) * 2 ** 127

/** Problem of a vector, after "a vector that"; undefined if it can be scaled to length 1 in float32. */
export function vectorProblem(vector: ArrayLike<number>): string | undefined {
  let sum = 0
  let zero = true
  for (let i = 0; i < vector.length; i++) {
    if (!Number.isFinite(vector[i])) return 'holds a number that is not finite'
    if (vector[i] !== 0) zero = false
    sum += vector[i] * vector[i]
  }
  if (zero) return 'is zero'
  const length = Math.sqrt(sum)
  if (length > GREATEST) return 'is too long for float32 (overflow)'
  return length < MIN ? 'is too short for float32 (underflow)' : undefined
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)
}

export interface EmbedderChoice {
  readonly name: string
  readonly params: Readonly<Record<string, Json>>
}

export const embedderParam = z
  .unknown()
  .optional()
  .meta({ slot: 'embedderChoice' })
  .describe('embedder of the compared vectors, written as in `prepare`; default: `prepare.embedder`')

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

/** Embedder for texts of one role. Throws a UserError if a vector has fewer than `cut` numbers. */
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

/** First `cut` numbers of each row, of length 1 again; zeros stay zeros. */
export function cutVectors(vectors: Float32Array, dims: number, cut: number): Float32Array {
  const rows = vectors.length / dims
  const shortened = new Float32Array(rows * cut)
  for (let row = 0; row < rows; row++) {
    const first = vectors.subarray(row * dims, row * dims + cut)
    const length = Math.sqrt(first.reduce((sum, value) => sum + value * value, 0))
    if (length > 0)
      shortened.set(
        first.map((value) => value / length),
        row * cut,
      )
  }
  return shortened
}
