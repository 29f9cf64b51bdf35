import { z } from 'zod'
import { indexedTexts } from '../corpus/chunks/units.ts'
import { chunkColumns } from '../corpus/corpus.ts'
import { type Embeddings, embedTexts } from '../corpus/dense/embeddings.ts'
import type { Recipe } from '../corpus/recipe.ts'
import { UserError } from '../errors.ts'
import type { Mask } from '../ranking/mask.ts'
import { type Artifact, derived } from '../store/artifact.ts'
import { hashOf } from '../store/hash.ts'
import { titledText } from '../text/tokenize.ts'
import type { Json } from '../types.ts'
import { engineRows } from './client.ts'
import type { EngineIndex, Place } from './define.ts'
import { rankFound } from './found.ts'
import { engineIndex } from './stored.ts'

/** An index that was there before: its documents are checked against the corpus, then it is used as it is. */

const field = (name: string, what: string) =>
  z
    .string()
    .regex(/^[A-Za-z_][\w.]{0,99}$/, 'must be the name of a field: letters, digits, `_` and `.`')
    .default(name)
    .describe(`the field with ${what}; \`existing\` only`)

/** Params of a kind that can use an existing index. `id`: its usual field of ids. */
export const existingShape = (what: string, id: string) => ({
  existing: z
    .string()
    .regex(/^[A-Za-z0-9_][\w.-]{0,199}$/, 'must be a name of letters, digits, `_`, `.` and `-`')
    .optional()
    .describe(`${what} that exists already: its documents are checked, and it is never changed`),
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
function existingIds(recipe: Recipe) {
  return derived('existing_ids', { chunks: chunkColumns(recipe, 'id', 'documentId') }, ({ chunks }) => {
    const documents = new Set(chunks.map(({ documentId }) => documentId))
    return chunks.map(({ id, documentId }) => (documents.size === chunks.length ? documentId : id))
  })
}

/** Texts of chunks, with and without the title: an existing index may hold either. */
function existingTexts(recipe: Recipe) {
  return derived('existing_texts', { chunks: chunkColumns(recipe, 'title', 'text') }, ({ chunks }) =>
    chunks.map(({ title, text }) => [text, titledText({ title, text })].map((one) => one.trim())),
  )
}

interface Held {
  readonly text?: string | undefined
  /** Undefined if no request reads it, null if there is none. */
  readonly vector?: readonly number[] | null | undefined
}

/** Part of the corpus that an index holds. */
export interface Content {
  readonly texts?: readonly (readonly string[])[]
  readonly embeddings?: Embeddings
}

/** Ids that a search found, best first. */
export interface FoundIds {
  readonly ids: readonly string[]
  readonly scores: readonly number[]
  readonly took?: number | undefined
}

/** Requests to an index that was there before. None of them writes. */
export interface ExistingIndex<Q> {
  /** Differences of its fields to the content, each said of the index. */
  problems(content: Content): Promise<string[]>
  count(): Promise<number>
  /** Value that another index does not have, at whatever address it is. */
  identity(): Promise<Json>
  /** Documents with these ids. */
  read(ids: readonly string[], withContent: boolean): Promise<ReadonlyMap<string, Held>>
  /** `ids`: documents to search among; all if left out. */
  search(query: Q, depth: number, how: Json, ids?: readonly string[]): Promise<FoundIds>
  version(): Promise<string>
  close(): Promise<void>
}

interface ExistingDefinition<Q> {
  readonly recipe: Recipe
  readonly name: string
  readonly kind: string
  readonly place: Place
  readonly params: Readonly<Record<string, Json>>
  readonly existing: string
  /** Subject of a message, such as "the index passages of the server in TOUCHSTONE_OPENSEARCH". */
  readonly who: string
  readonly holds: 'texts' | 'vectors'
  connect(): Promise<ExistingIndex<Q>>
}

/** An index that was there before, as an artifact: checked once, and again if it is another one or has another size. */
export function existingIndex<Q>({
  recipe,
  existing,
  who,
  holds,
  connect,
  params,
  ...definition
}: ExistingDefinition<Q>): Artifact<EngineIndex<Q>> {
  const withIndex = async <T>(use: (index: ExistingIndex<Q>) => Promise<T>) => {
    const index = await connect()
    return use(index).finally(() => index.close())
  }
  const factsOf = async (index: ExistingIndex<Q>) => ({
    rows: await index.count(),
    identity: hashOf(await index.identity()),
  })
  const ids = existingIds(recipe)
  const inputs: { ids: typeof ids; content: Artifact<Content> } = {
    ids,
    content:
      holds === 'texts'
        ? derived('existing_content', { texts: existingTexts(recipe) }, (opened): Content => opened)
        : derived(
            'existing_content',
            { embeddings: embedTexts(recipe, 'chunks', indexedTexts(recipe)) },
            (opened): Content => opened,
          ),
  }
  return engineIndex({
    ...{ ...definition, existing, params: { existing, ...params }, inputs },
    load: (_name, lazy, progress) =>
      withIndex(async (index) => {
        const facts = await factsOf(index)
        const content = await lazy.content()
        const problems = await index.problems(content)
        if (problems.length > 0)
          throw new UserError(problems.map((message) => ({ message: `${who} ${message}` })))
        await requireCorpus(who, index, await lazy.ids(), content, progress)
        return facts
      }),
    version: () => withIndex((index) => index.version()),
    isGone: (_name, facts) => withIndex(async (index) => hashOf(await factsOf(index)) !== hashOf(facts)),
    async open(_name, facts, lazy) {
      const ids = await lazy.ids()
      const rowOf = rowsOfIds(who, ids)
      const index = await connect()
      const { rows, identity } = facts as Awaited<ReturnType<typeof factsOf>>
      const there = await factsOf(index)
      if (there.rows !== rows || there.identity !== identity) {
        await index.close()
        const difference =
          there.rows === rows
            ? 'is another one than the one that was checked'
            : `holds ${there.rows} documents, and had ${rows} when it was checked`
        throw new UserError(`${who} ${difference}; prepare again`)
      }
      return {
        async search(query, depth, how, within?: Mask) {
          const among = within && Array.from(within.rows, (row) => ids[row])
          const { ids: found, scores, took } = await index.search(query, depth, how, among)
          return { ...rankFound(who, found.map(rowOf), scores, depth, within), took }
        },
        close: () => index.close(),
      }
    },
  })
}

/** Difference of dimensions, as `problems` gives it. */
export function dimsProblems(dims: number | undefined, { embeddings }: Content): string[] {
  if (!embeddings || dims === undefined || dims === embeddings.dims) return []
  return [`holds vectors of dimension ${dims}, and ${embeddings.model} has ${embeddings.dims}`]
}

const BATCH = 1000
const SAMPLE = 50
/** An index may hold vectors in fewer bits. */
const COSINE = 0.99

/**
 * Throws a UserError with every difference between an existing index and the corpus: count, ids, and the texts or vectors of a
 * sample.
 */
async function requireCorpus(
  who: string,
  index: Pick<ExistingIndex<never>, 'count' | 'read'>,
  ids: readonly string[],
  content: Content,
  progress: (done: number, total: number) => void,
): Promise<void> {
  const problems: string[] = []
  const count = await index.count()
  if (count !== ids.length) problems.push(`holds ${count} documents, and the corpus has ${ids.length} chunks`)
  const missing: string[] = []
  for (let begin = 0; begin < ids.length; begin += BATCH) {
    progress(begin, ids.length)
    const batch = ids.slice(begin, begin + BATCH)
    const found = await index.read(batch, false)
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
  const held = await index.read(
    rows.map((row) => ids[row]),
    true,
  )
  const differing = rows.filter((row) => !agrees(held.get(ids[row]) ?? {}, row, content))
  if (differing.length > 0)
    problems.push(
      `holds other ${content.texts ? 'texts' : 'vectors'} for ${differing.length} of ${rows.length} chunks that were compared, such as ${JSON.stringify(ids[differing[0]])}`,
    )
  if (problems.length > 0) throw new UserError(problems.map((message) => ({ message: `${who} ${message}` })))
}

function agrees({ text, vector }: Held, row: number, { texts, embeddings }: Content): boolean {
  if (texts) return text !== undefined && texts[row].includes(text.trim())
  // An index may keep vectors where no request reads them.
  if (!embeddings || vector === undefined) return true
  const own = engineRows(embeddings).vector(row)
  const held = vector ?? []
  const length = Math.hypot(...held)
  const dot = held.reduce((sum, value, i) => sum + value * own[i], 0)
  return length === 0 ? own.every((value) => value === 0) : dot / length > COSINE
}

/** Row of each id. Throws a UserError for an id that the corpus does not have. */
function rowsOfIds(name: string, ids: readonly string[]): (id: string) => number {
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
