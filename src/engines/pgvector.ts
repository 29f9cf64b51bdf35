import type { Client } from 'pg'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Connection, IndexState, Server } from './index.ts'
import { defineEngine, numberIn } from './loaded.ts'
import { addressIn, clientOf } from './server.ts'

/**
 * PostgreSQL with pgvector (https://github.com/pgvector/pgvector): a table of vectors, named by the key of its content, with an
 * optional index. The distance `<=>` is the cosine distance.
 */

const VARIABLE = 'TOUCHSTONE_POSTGRES'
const WHO = `the database in ${VARIABLE}`
const VERSION = '8.23.1'
/** Comment of a table that Touchstone made. */
const MARKER = 'touchstone'
/** pgvector's limit of indexed vectors. */
const INDEXED_DIMS = 2000
/** pgvector's limit of `hnsw.ef_search`: results of an HNSW search at most. */
const RESULTS = 1000
/** Candidates when a graph is built: pgvector's default, which must be twice the edges of a node or more. */
const efConstruction = (m: number) => Math.max(64, 2 * m)
/** Clusters that a search of IVFFlat reads. */
const PROBES = 10

interface PgConnection extends Connection {
  query<R extends object>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>
}

const server: Server<PgConnection> = {
  kind: 'pgvector',
  who: WHO,
  noun: 'table',
  async connect() {
    const connectionString = addressIn(VARIABLE, 'pgvector', 'postgres://user@host/database')
    const { default: pg } = await clientOf<typeof import('pg')>('pg', VERSION)
    const client = await reported(async (): Promise<Client> => {
      const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 })
      // A connection lost between two queries is reported by the next query.
      client.on('error', () => {})
      await client.connect()
      return client
    })
    const query: PgConnection['query'] = async (sql, values = []) =>
      (await reported(() => client.query(sql, [...values]))).rows
    return {
      query,
      async version() {
        const [{ server, vector }] = await query<{ server: string; vector: string | null }>(
          "SELECT current_setting('server_version') AS server, (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector",
        )
        return `${vector ?? 'without its extension'} on PostgreSQL ${server}`
      },
      state: (table) => stateOf(query, table),
      async remove(table) {
        await query(`DROP TABLE ${table}`)
      },
      async close() {
        await client.end().catch(() => {})
      },
    }
  },
}

async function stateOf(query: PgConnection['query'], table: string): Promise<IndexState | undefined> {
  const [{ oid, comment }] = await query<{ oid: number | null; comment: string | null }>(
    "SELECT to_regclass($1)::oid AS oid, obj_description(to_regclass($1), 'pg_class') AS comment",
    [table],
  )
  if (oid === null) return undefined
  if (comment !== MARKER) return { isOurs: false, rows: 0 }
  const [{ rows }] = await query<{ rows: string }>(`SELECT count(*) AS rows FROM ${table}`)
  return { isOurs: true, rows: Number(rows) }
}

export default defineEngine({
  name: 'pgvector',
  summary: 'PostgreSQL with pgvector: dense search, exact, by HNSW or by IVFFlat',
  source: 'pgvector 0.8; Malkov and Yashunin, TPAMI 2020 (HNSW)',
  params: z.strictObject({
    index: z
      .enum(['exact', 'hnsw', 'ivfflat'])
      .default('hnsw')
      .describe('index of the table; `exact` has none, and every row is compared'),
    m: z.int().min(2).max(100).default(16).describe('edges of a node; hnsw'),
    efSearch: z.int().min(1).max(1000).default(40).describe('candidates of a search, `pool` at least; hnsw'),
  }),
  server,
  checkDepth(depth, { index }) {
    if (index === 'hnsw' && depth > RESULTS)
      throw new UserError(`\`pool\` must be ${RESULTS} or less with \`index: hnsw\``)
  },
  dense: {
    built: ({ index, m }) => ({ index, m }),
    /** Fills the table in one transaction, so that it never exists in part. */
    async fill({ query, state }, table, { dims, rows, value, batches }, { index, m }, _state, progress) {
      if (index !== 'exact' && dims > INDEXED_DIMS)
        throw new UserError(
          `pgvector indexes vectors of at most ${INDEXED_DIMS} dims, these have ${dims}; \`index: exact\` needs no index`,
        )
      await query('CREATE EXTENSION IF NOT EXISTS vector')
      await query('BEGIN')
      // Two machines may prepare the same table; the second waits and finds it complete.
      await query('SELECT pg_advisory_xact_lock(hashtext($1))', [table])
      if ((await state(table))?.rows !== rows) {
        await query(`DROP TABLE IF EXISTS ${table}`)
        await query(`CREATE TABLE ${table} (row integer PRIMARY KEY, vector vector(${dims}) NOT NULL)`)
        for (const batch of batches()) {
          progress(batch[0])
          await query(`INSERT INTO ${table} SELECT * FROM unnest($1::integer[], $2::text[]::vector[])`, [
            batch,
            batch.map((row) => literal(value(row))),
          ])
        }
        const options =
          index === 'hnsw'
            ? `hnsw (vector vector_cosine_ops) WITH (m = ${m}, ef_construction = ${efConstruction(m)})`
            : `ivfflat (vector vector_cosine_ops) WITH (lists = ${Math.max(1, Math.round(Math.sqrt(rows)))})`
        if (index !== 'exact') await query(`CREATE INDEX ON ${table} USING ${options}`)
        await query(`COMMENT ON TABLE ${table} IS '${MARKER}'`)
      }
      await query('COMMIT')
    },
    async search({ query }, table, vector, depth, { index, efSearch }, allowed) {
      // An index is filtered after its search and may find too few: a filtered search compares all rows that pass.
      const isExact = index === 'exact' || allowed !== undefined
      await query(SETTINGS[isExact ? 'exact' : index](efSearch, depth))
      // An exact search breaks ties like the built-in search; an index has its own order.
      const nearest = await query<{ row: number; distance: number }>(
        `SELECT row, vector <=> $1 AS distance FROM ${table}${allowed ? ' WHERE row = ANY($3)' : ''} ORDER BY vector <=> $1${isExact ? ', row DESC' : ''} LIMIT $2`,
        [literal(vector), depth, ...(allowed ? [allowed] : [])],
      )
      return {
        rows: nearest.map(({ row }) => row),
        scores: nearest.map(({ distance }) => 1 - numberIn(distance)),
      }
    },
  },
})

/** Forces the index: the planner may prefer to compare all rows, and the index would get the credit. */
const BY_INDEX = 'SET enable_seqscan = off; SET enable_sort = off;'

const SETTINGS: Record<'exact' | 'hnsw' | 'ivfflat', (efSearch: number, depth: number) => string> = {
  exact: () => 'SET enable_seqscan = on; SET enable_sort = on',
  hnsw: (efSearch, depth) => `${BY_INDEX} SET hnsw.ef_search = ${Math.max(efSearch, depth)}`,
  ivfflat: () => `${BY_INDEX} SET ivfflat.probes = ${PROBES}`,
}

const literal = (vector: Iterable<number>) => `[${[...vector].join(',')}]`

/**
 * Reports a database error as an error of the set-up, not as the failure of a query. Network errors may contain parts of the
 * connection string, so the message has just their code; the database's own messages are safe.
 */
async function reported<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const { code, message, severity } = error as { code?: string; message: string; severity?: string }
    if (severity !== undefined) throw new UserError(`${WHO} refuses: ${message}`)
    throw new UserError(`${WHO} does not answer (${code ?? message})`)
  }
}
