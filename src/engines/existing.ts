import { z } from 'zod'
import { chunkColumns } from '../corpus/corpus.ts'
import type { Embeddings } from '../corpus/dense/embeddings.ts'
import type { Recipe } from '../corpus/recipe.ts'
import { UserError } from '../errors.ts'
import { derived } from '../store/artifact.ts'
import { titledText } from '../text/tokenize.ts'
import { engineRows } from './client.ts'

/** An index that was there before: its documents are checked against the corpus, then it is used as it is. */

const field = (name: string, what: string) =>
  z
    .string()
    .regex(/^[A-Za-z_][\w.]{0,99}$/, 'must be the name of a field: letters, digits, `_` and `.`')
    .default(name)
    .describe(`the field that holds ${what}; \`existing\` only`)

/** Params of a kind that can use an existing index. `id`: its usual field of ids. */
export const existingShape = (what: string, id: string) => ({
  existing: z
    .string()
    .regex(/^[A-Za-z0-9_][\w.-]{0,199}$/, 'must be a name of letters, digits, `_`, `.` and `-`')
    .optional()
    .describe(`${what} that is there already: its documents are checked, and it is never written`),
  idField: field(id, "a chunk's id, or its document's id if each document is one chunk"),
  textField: field('text', 'the text'),
  vectorField: field('vector', 'the vector'),
})

/** Params that only a built index has: none is allowed with `existing`. */
export const refuseBuilt =
  (shape: Readonly<Record<string, z.ZodType>>, built: readonly string[]) =>
  (
    params: Readonly<Record<string, unknown>>,
    { addIssue }: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
  ): void => {
    const { existing } = params
    const idle = existing === undefined ? ['idField', 'textField', 'vectorField'] : built
    const why =
      existing === undefined ? 'belongs to `existing`' : 'was chosen when the existing index was made'
    for (const param of idle)
      if (param in shape && params[param] !== shape[param].parse(undefined))
        addIssue({ code: 'custom', path: [param], message: `${why}; leave it out` })
  }

export interface ExistingFields {
  readonly existing: string
  readonly idField: string
  readonly textField: string
  readonly vectorField: string
}

/** Ids of chunks in an existing index: those of the documents if each document is one chunk. */
export function existingIds(recipe: Recipe) {
  return derived('existing_ids', { chunks: chunkColumns(recipe, 'id', 'documentId') }, ({ chunks }) => {
    const documents = new Set(chunks.map(({ documentId }) => documentId))
    return chunks.map(({ id, documentId }) => (documents.size === chunks.length ? documentId : id))
  })
}

/** Texts of chunks, with and without the title: an existing index may hold either. */
export function existingTexts(recipe: Recipe) {
  return derived('existing_texts', { chunks: chunkColumns(recipe, 'title', 'text') }, ({ chunks }) =>
    chunks.map(({ title, text }) => [text, titledText({ title, text })].map((one) => one.trim())),
  )
}

interface Held {
  readonly text?: string | undefined
  readonly vector?: readonly number[] | undefined
}

/** Reads an existing index. */
export interface ExistingReader {
  /** Subject of a message, such as "the index passages". */
  readonly name: string
  count(): Promise<number>
  /** Documents with these ids. */
  read(ids: readonly string[], withContent: boolean): Promise<ReadonlyMap<string, Held>>
}

const BATCH = 1000
const SAMPLE = 50
/** An index may hold vectors in fewer bits. */
const COSINE = 0.99

/**
 * Throws a UserError with every difference between an existing index and the corpus: count, ids, and the texts or vectors of a
 * sample.
 */
export async function requireCorpus(
  reader: ExistingReader,
  ids: readonly string[],
  content: { readonly texts?: readonly (readonly string[])[]; readonly embeddings?: Embeddings },
  progress: (done: number, total: number) => void,
): Promise<void> {
  const problems: string[] = []
  const count = await reader.count()
  if (count !== ids.length) problems.push(`holds ${count} documents, and the corpus has ${ids.length} chunks`)
  const missing: string[] = []
  for (let begin = 0; begin < ids.length; begin += BATCH) {
    progress(begin, ids.length)
    const batch = ids.slice(begin, begin + BATCH)
    const found = await reader.read(batch, false)
    missing.push(...batch.filter((id) => !found.has(id)))
  }
  if (missing.length > 0)
    problems.push(
      `lacks ${missing.length} of the corpus's ids, such as ${missing
        .slice(0, 3)
        .map((id) => JSON.stringify(id))
        .join(', ')}`,
    )
  const lacking = new Set(missing)
  const step = Math.max(1, Math.floor(ids.length / SAMPLE))
  const rows = [...ids.keys()].filter((row) => row % step === 0 && !lacking.has(ids[row])).slice(0, SAMPLE)
  const held = await reader.read(
    rows.map((row) => ids[row]),
    true,
  )
  const differing = rows.filter((row) => !agrees(held.get(ids[row]) ?? {}, row, content))
  if (differing.length > 0)
    problems.push(
      `holds other ${content.texts ? 'texts' : 'vectors'} for ${differing.length} of ${rows.length} chunks that were compared, such as ${JSON.stringify(ids[differing[0]])}`,
    )
  if (problems.length > 0)
    throw new UserError(problems.map((message) => ({ message: `${reader.name} ${message}` })))
}

function agrees(
  { text, vector }: Held,
  row: number,
  {
    texts,
    embeddings,
  }: { readonly texts?: readonly (readonly string[])[]; readonly embeddings?: Embeddings },
): boolean {
  if (texts) return text !== undefined && texts[row].includes(text.trim())
  // An index may keep vectors where no request reads them.
  if (!embeddings || vector === undefined) return true
  const own = engineRows(embeddings).vector(row)
  const dot = own.reduce((sum, value, i) => sum + value * vector[i], 0)
  const length = Math.hypot(...vector)
  return length === 0 ? own.every((value) => value === 0) : dot / length > COSINE
}

/** Row of each id. Throws a UserError for an id that the corpus does not have. */
export function rowsOfIds(name: string, ids: readonly string[]): (id: string) => number {
  const rows = new Map(ids.map((id, row) => [id, row]))
  return (id) => {
    const row = rows.get(id)
    if (row === undefined)
      throw new UserError(
        `${name} returned ${JSON.stringify(id)}, which is not in the corpus: it was changed after it was checked`,
      )
    return row
  }
}
