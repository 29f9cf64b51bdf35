import { z } from 'zod'
import type { Piece } from '../../corpus/chunks/chunkers/index.ts'
import type { Extraction } from '../../corpus/graph/extractors/index.ts'
import type { CustomFile, ReadFile } from '../../custom/load.ts'
import { UserError } from '../../errors.ts'
import { type Embedder, quoted, vectorProblem } from '../../models/embedder.ts'
import { typeParts } from '../../registry.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { hashOf } from '../../store/hash.ts'
import { fieldComplaint } from '../../text/schema-words.ts'
import type { Document, Json } from '../../types.ts'

/** Checked copy of a value that custom code returned while a corpus was prepared. Throws a UserError if it has another form. */

/** Source of the value: the file and the call, as in "`split` on the document d1". */
interface Giver {
  readonly file: CustomFile
  readonly what: string
}

const pieces = z.array(
  z.strictObject({
    start: z.int().min(0),
    end: z.int().min(0),
    section: z.array(z.string()).optional(),
    title: z.string().optional(),
  }),
)

export function readPieces(returned: unknown, { text }: Document, giver: Giver): Piece[] {
  const checked = read(pieces, returned, giver)
  checked.forEach(({ start, end }, index) => {
    if (end > text.length || start > end)
      throw wrong(giver, [
        `\`${index}\`: ${start} to ${end} does not lie in a text of ${text.length} letters`,
      ])
    if (index > 0 && start < checked[index - 1].start)
      throw wrong(giver, [`\`${index}\` begins before the one above`])
  })
  return checked
}

/** Checked extraction with defaults. Rows are below `chunks`. */
export function readExtraction(returned: unknown, chunks: number, giver: Giver): Extraction {
  const row = z
    .int()
    .min(-1)
    .max(chunks - 1)
  const mention = z.strictObject({
    name: z.string(),
    chunk: row,
    count: z.number().gt(0).default(1),
    type: z.string().optional(),
    text: z.string().optional(),
  })
  const link = z.strictObject({
    source: z.string(),
    target: z.string(),
    predicate: z.string().default(''),
    chunk: row,
    weight: z.number().default(1),
    description: z.string().optional(),
    relation: z.string().min(1).optional(),
    alsoIn: z.array(row).optional(),
  })
  const extraction = z.strictObject({
    mentions: z.array(mention),
    links: z.array(link).default([]),
    names: z.literal('exact').optional(),
    describe: z
      .strictObject({ separator: z.string(), tokens: z.int().min(1) })
      .default({ separator: ' ', tokens: 100 }),
    notices: z.record(z.string(), z.number()).default({}),
  })
  return read(extraction, returned, giver)
}

function read<T>(schema: z.ZodType<T>, returned: unknown, giver: Giver): T {
  const checked = schema.safeParse(returned)
  if (checked.success) return checked.data
  throw wrong(
    giver,
    checked.error.issues.map((issue) => fieldComplaint(issue, returned)),
  )
}

const SHOWN = 5

function wrong({ file, what }: Giver, messages: readonly string[]): UserError {
  const more = messages.length > SHOWN ? [`${messages.length - SHOWN} more`] : []
  const shown = [...messages.slice(0, SHOWN), ...more].join('; ')
  return new UserError(`${what} gave what it may not: ${shown}`, file.path)
}

export interface CustomEmbedder {
  /**
   * A vector for each text, in order, all of one length; they are normalised. Zeros where it knows nothing of a text. Must
   * give a text the same vector in any batch.
   */
  embed(texts: readonly string[]): Vectors | Promise<Vectors>
}

export type Vectors = readonly ArrayLike<number>[]

export const defineEmbedder = typeParts<CustomEmbedder>()

/** Embedder of a custom `embed`, with checked and normalised vectors. Their length is that of one word's vector. */
export function readVectors(
  { path, sha256, name, params, reads }: ReadFile,
  embed: (texts: readonly string[]) => Promise<unknown>,
): Artifact<Embedder> {
  const fail = (message: string) => new UserError(`\`embed\` ${message}`, path)

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
