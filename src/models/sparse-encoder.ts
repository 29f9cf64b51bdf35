import type { z } from 'zod'
import type { Definition } from '../registry.ts'
import type { Artifact } from '../store/artifact.ts'

/** Turns texts into weights of terms, of words that the text does not hold too. */
export interface SparseEncoder {
  encode(texts: readonly string[], progress?: (done: number, total: number) => void): Promise<SparseVector[]>
}

/** Terms, each once, and their weights, all above 0. */
export interface SparseVector {
  readonly terms: readonly string[]
  readonly weights: ArrayLike<number>
}

/** One file in src/models/sparse. */
export interface SparseEncoderDefinition<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  artifact(params: z.output<S>): Artifact<SparseEncoder>
}

/** Gives a definition its types. */
export function defineSparseEncoder<S extends z.ZodObject>(
  definition: SparseEncoderDefinition<S>,
): SparseEncoderDefinition<S> {
  return definition
}
