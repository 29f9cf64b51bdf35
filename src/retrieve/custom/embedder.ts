import type { ReadFile } from '../../custom/load.ts'
import { UserError } from '../../errors.ts'
import { type Embedder, quoted, vectorProblem } from '../../models/embedder.ts'
import { typeParts } from '../../registry.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { hashOf } from '../../store/hash.ts'
import type { Json } from '../../types.ts'

export interface CustomEmbedder {
  /**
   * A vector for each text, in order, all of one length; they are normalised. Zeros where it knows nothing of a text. Must
   * give a text the same vector in any batch.
   */
  embed(texts: readonly string[]): Vectors | Promise<Vectors>
}

export type Vectors = readonly ArrayLike<number>[]

export const defineEmbedder = typeParts<CustomEmbedder>()

/** The embedder whose vectors `embed` gives, checked and normalised; how long they are one of a word says. */
export function readVectors(
  { path, sha256, name, params, reads }: ReadFile,
  embed: (texts: readonly string[]) => Promise<unknown>,
): Artifact<Embedder> {
  const fail = (message: string) => new UserError({ file: path, message: `\`embed\` ${message}` })

  /** Row after row, each of `length` numbers. */
  async function rows(texts: readonly string[], length?: number): Promise<Float32Array> {
    const vectors = await embed(texts)
    if (!Array.isArray(vectors) || vectors.length !== texts.length)
      throw fail(`must give a list of ${texts.length} vectors, one a text`)
    const [first] = vectors
    const dims: number = length ?? first?.length
    if (!Number.isSafeInteger(dims) || dims < 1) throw fail('must give vectors of one number or more')
    const matrix = new Float32Array(texts.length * dims)
    vectors.forEach((vector: ArrayLike<number>, row) => {
      const text = `to the text ${quoted(texts[row])}`
      if (vector?.length !== dims)
        throw fail(`gave a vector of ${vector?.length} numbers ${text}; others have ${dims}`)
      const numbers = Float64Array.from(vector)
      if (numbers.every((number) => number === 0)) return
      const problem = vectorProblem(numbers)
      if (problem) throw fail(`gave a vector that ${problem} ${text}`)
      const size = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0))
      matrix.set(
        numbers.map((number) => number / size),
        row * dims,
      )
    })
    return matrix
  }

  return defineArtifact({
    name: 'own_embedder',
    version: 1,
    params: { name, code: sha256, params: params as Json, ...(reads && { files: reads }) },
    inputs: {},
    async open() {
      const dims = (await rows(['dims'])).length
      return {
        model: `${name} (${(reads ? hashOf([sha256, reads]) : sha256).slice(0, 12)})`,
        dims,
        embed: (texts) => rows(texts, dims),
      }
    },
  })
}
