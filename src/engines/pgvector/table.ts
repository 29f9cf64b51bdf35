import { env } from 'node:process'
import type { Client } from 'pg'
import { indexedTexts } from '../../corpus/chunks/units.ts'
import { embedTexts } from '../../corpus/dense/embeddings.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { UserError } from '../../errors.ts'
import type { Mask } from '../../ranking/mask.ts'
import type { Artifact } from '../../store/artifact.ts'
import { batchesOf, clientOf, type EngineRows, engineRows } from '../client.ts'
import type { EngineIndex } from '../define.ts'
import { numberIn, rankFound } from '../found.ts'
import { engineIndex } from '../stored.ts'

/**
 * PostgreSQL with pgvector (https://github.com/pgvector/pgvector): a table of vectors, named by the key of its content, with an
 * optional index. The distance `<=>` is the cosine distance.
 */

type PgvectorTableParams = {
  readonly index: 'exact' | 'hnsw' | 'ivfflat'
  readonly m: number
  readonly efConstruction: number
  readonly lists?: number
}

/** Search settings of the index. */
export type PgvectorSearch = { readonly efSearch: number; readonly probes: number }

/** pgvector's limit. */
const INDEXED_DIMS = 2000
const VERSION = '8.23.1'

/** `urlEnv`: environment variable with the connection string. It is no part of the key, since the place does not change the content. */
export function pgvectorTable(
  recipe: Recipe,
  urlEnv: string,
  params: PgvectorTableParams,
): Artifact<EngineIndex<Float32Array>> {
  return engineIndex({
    ...{ name: 'pgvector', kind: 'pgvector', place: { urlEnv }, params },
    inputs: { embeddings: embedTexts(recipe, 'chunks', indexedTexts(recipe)) },
    async load(table, inputs, progress) {
      const rows = engineRows(await inputs.embeddings())
      await withClient(urlEnv, (client) =>
        fill(client, table, rows, params, (done) => progress(done, rows.rows)),
      )
      return { rows: rows.rows, dims: rows.dims }
    },
    version: () => versionOf(urlEnv),
    isGone: (table) => withClient(urlEnv, async (client) => (await commentIn(client, table)) === undefined),
    open(table, facts) {
      const { rows, dims } = facts as { rows: number; dims: number }
      return openTable(urlEnv, table, commentOf(rows, dims), params.index)
    },
  })
}

/** Removes a table of Touchstone's; nothing if there is no such table. */
export async function removeTable(urlEnv: string, table: string): Promise<void> {
  await withClient(urlEnv, async (client) => {
    const comment = await commentIn(client, table)
    if (comment === undefined) return
    if (!comment?.startsWith(MARKER))
      throw new UserError(
        `the database in ${urlEnv} holds a table ${table} that is not Touchstone's; rename it`,
      )
    await client.query(`DROP TABLE ${table}`)
  })
}

const MARKER = 'touchstone: '

const commentOf = (rows: number, dims: number) => `${MARKER}${rows} chunks, ${dims} dims`

/** Fills the table in one transaction, so that it never exists in part. A complete table is reused. */
async function fill(
  client: Client,
  table: string,
  rows: EngineRows,
  { index, m, efConstruction, lists }: PgvectorTableParams,
  progress: (done: number) => void,
): Promise<void> {
  if (index !== 'exact' && rows.dims > INDEXED_DIMS)
    throw new UserError(
      `pgvector indexes vectors of at most ${INDEXED_DIMS} dims, these have ${rows.dims}; \`index: exact\` needs no index`,
    )
  await client.query('CREATE EXTENSION IF NOT EXISTS vector')
  await client.query('BEGIN')
  // Two machines may prepare the same table; the second waits and finds it complete.
  await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [table])
  if ((await commentIn(client, table)) === commentOf(rows.rows, rows.dims)) {
    await client.query('COMMIT')
    return
  }
  await client.query(`DROP TABLE IF EXISTS ${table}`)
  await client.query(`CREATE TABLE ${table} (row integer PRIMARY KEY, vector vector(${rows.dims}) NOT NULL)`)
  for (const batch of batchesOf(rows)) {
    progress(batch[0])
    await client.query(`INSERT INTO ${table} SELECT * FROM unnest($1::integer[], $2::text[]::vector[])`, [
      batch,
      batch.map((row) => literal(rows.vector(row))),
    ])
  }
  const options =
    index === 'hnsw'
      ? `hnsw (vector vector_cosine_ops) WITH (m = ${m}, ef_construction = ${efConstruction})`
      : `ivfflat (vector vector_cosine_ops) WITH (lists = ${lists ?? Math.max(1, Math.round(Math.sqrt(rows.rows)))})`
  if (index !== 'exact') await client.query(`CREATE INDEX ON ${table} USING ${options}`)
  await client.query(`COMMENT ON TABLE ${table} IS '${commentOf(rows.rows, rows.dims)}'`)
  await client.query('COMMIT')
}

/** Forces the index: the planner may prefer to compare all rows, and the index would get the credit. */
const BY_INDEX = 'SET enable_seqscan = off; SET enable_sort = off;'

export const SETTINGS: Record<PgvectorTableParams['index'], (how: PgvectorSearch, depth: number) => string> =
  {
    exact: () => 'SET enable_seqscan = on; SET enable_sort = on',
    hnsw: ({ efSearch }, depth) => `${BY_INDEX} SET hnsw.ef_search = ${Math.max(efSearch, depth)}`,
    ivfflat: ({ probes }) => `${BY_INDEX} SET ivfflat.probes = ${probes}`,
  }

async function openTable(
  urlEnv: string,
  table: string,
  comment: string,
  index: PgvectorTableParams['index'],
): Promise<EngineIndex<Float32Array>> {
  const client = await connect(urlEnv)
  const found = await asked(() => commentIn(client, table))
  if (found !== comment) {
    await client.end()
    throw new UserError(
      `the database in ${urlEnv} does not hold the table ${table} as it was prepared (${comment}); drop the table, and prepare again`,
    )
  }
  return {
    async search(vector, depth, how, within?: Mask) {
      // An index is filtered after its search and may find too few: a filtered search compares all rows that pass.
      const exact = index === 'exact' || within !== undefined
      const { rows } = await asked(async () => {
        await client.query(SETTINGS[exact ? 'exact' : index](how as PgvectorSearch, depth))
        // An exact search breaks ties like the built-in search; an index has its own order.
        return client.query<{ row: number; distance: number }>(
          `SELECT row, vector <=> $1 AS distance FROM ${table}${within ? ' WHERE row = ANY($3)' : ''} ORDER BY vector <=> $1${exact ? ', row DESC' : ''} LIMIT $2`,
          [literal(vector), depth, ...(within ? [[...within.rows]] : [])],
        )
      }, `the database in ${urlEnv}`)
      return rankFound(
        `the database in ${urlEnv}`,
        rows.map(({ row }) => row),
        rows.map(({ distance }) => 1 - numberIn(distance)),
        depth,
        within,
      )
    },
    async close() {
      await client.end().catch(() => {})
    },
  }
}

export const literal = (vector: Float32Array) => `[${vector.join(',')}]`

/** Comment of a table; null if it has none, undefined if there is no such table. */
async function commentIn(client: Client, table: string): Promise<string | null | undefined> {
  const { rows } = await client.query<{ oid: number | null; comment: string | null }>(
    "SELECT to_regclass($1)::oid AS oid, obj_description(to_regclass($1), 'pg_class') AS comment",
    [table],
  )
  return rows[0]?.oid === null ? undefined : rows[0]?.comment
}

/** Versions of the server and of pgvector. */
export const versionOf = (urlEnv: string): Promise<string> =>
  withClient(urlEnv, async (client) => {
    const { rows } = await client.query<{ server: string; vector: string | null }>(
      "SELECT current_setting('server_version') AS server, (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector",
    )
    const [{ server, vector }] = rows
    return `${vector ?? 'without its extension'} on PostgreSQL ${server}`
  })

/** Calls `use` with a connection and ends it. */
export async function withClient<T>(urlEnv: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(urlEnv)
  try {
    return await asked(() => use(client), `the database in ${urlEnv}`)
  } finally {
    await client.end().catch(() => {})
  }
}

export async function connect(urlEnv: string): Promise<Client> {
  const url = env[urlEnv]
  if (!url)
    throw new UserError(
      `pgvector needs a connection string in the environment variable ${urlEnv}, which is not set, as postgres://user@host/database`,
    )
  const { default: pg } = await clientOf<typeof import('pg')>('pg', VERSION)
  return asked(async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    // A connection lost between two queries is reported by the next query.
    client.on('error', () => {})
    await client.connect()
    return client
  }, `the database in ${urlEnv}`)
}

/**
 * Reports a database error as an error of the set-up, not as the failure of a query. Network errors may contain parts of the
 * connection string, so the message has just their code; the database's own messages are safe.
 */
export async function asked<T>(ask: () => Promise<T>, who = 'PostgreSQL'): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof UserError) throw error
    const { code, message, severity } = error as { code?: string; message: string; severity?: string }
    if (severity !== undefined) throw new UserError(`${who} refuses: ${message}`)
    throw new UserError(`${who} does not answer (${code ?? message})`)
  }
}
