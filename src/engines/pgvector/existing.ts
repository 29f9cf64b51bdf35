import type { Client } from 'pg'
import type { Recipe } from '../../corpus/recipe.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { EngineIndex } from '../define.ts'
import { dimsProblems, type ExistingFields, type ExistingIndex, existingIndex } from '../existing.ts'
import { asked, connect, literal, type PgvectorSearch, SETTINGS, versionOf } from './table.ts'

/** A table of vectors that was there before. It is read alone; `index` names the kind of its index. */
export function existingTable(
  recipe: Recipe,
  urlEnv: string,
  { existing, idField, vectorField }: Omit<ExistingFields, 'textField'>,
  index: 'exact' | 'hnsw' | 'ivfflat',
): Artifact<EngineIndex<Float32Array>> {
  const who = `the table ${existing} of the database in ${urlEnv}`
  const [table, id, vector] = [existing, idField, vectorField].map(quoted)
  const openExisting = async (): Promise<ExistingIndex<Float32Array>> => {
    const client = await connect(urlEnv)
    const all = <T extends object>(sql: string, values: unknown[] = []) =>
      asked(async () => (await client.query<T>(sql, values)).rows, who)
    return {
      async problems(content) {
        const [row] = await all<{ dims: number }>(
          `SELECT vector_dims(${vector}) AS dims FROM ${table} WHERE ${vector} IS NOT NULL LIMIT 1`,
        )
        const [indexed] = index === 'exact' ? [{}] : await all(INDEXED, [table, vectorField, index])
        const other = `has no index \`${index}\` with vector_cosine_ops on ${vectorField}; \`index: exact\` needs none`
        return [...dimsProblems(row?.dims, content), ...(indexed ? [] : [other])]
      },
      async count() {
        const [{ n }] = await all<{ n: string }>(`SELECT count(*) AS n FROM ${table}`)
        return Number(n)
      },
      identity: () => asked(() => identityOf(client, table), who),
      async read(ids, withContent) {
        const content = withContent ? `, ${vector}::text AS vector` : ''
        const rows = await all<{ id: string; vector?: string | null }>(
          `SELECT ${id}::text AS id${content} FROM ${table} WHERE ${id}::text = ANY($1)`,
          [ids],
        )
        return new Map(rows.map(({ id, vector }) => [id, { vector: vector && JSON.parse(vector) }]))
      },
      async search(query, depth, how, ids) {
        const exact = index === 'exact' || ids !== undefined
        await all(SETTINGS[exact ? 'exact' : index](how as PgvectorSearch, depth))
        const rows = await all<{ id: string; distance: number }>(
          `SELECT ${id}::text AS id, ${vector} <=> $1 AS distance FROM ${table} WHERE ${vector} IS NOT NULL${ids ? ` AND ${id}::text = ANY($3)` : ''} ORDER BY ${vector} <=> $1${exact ? `, ${id}` : ''} LIMIT $2`,
          [literal(query), depth, ...(ids ? [ids] : [])],
        )
        return { ids: rows.map(({ id }) => id), scores: rows.map(({ distance }) => 1 - distance) }
      },
      version: () => versionOf(urlEnv),
      close: () => client.end().catch(() => {}),
    }
  }
  return existingIndex({
    ...{ recipe, name: 'pgvector', kind: 'pgvector', place: { urlEnv }, existing, who, holds: 'vectors' },
    params: { idField, vectorField, index },
    connect: openExisting,
  })
}

/** Indexes of a kind that compare a column by cosine; without one, PostgreSQL compares every row. */
const INDEXED = `SELECT 1 FROM pg_index i
  JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
  JOIN pg_opclass o ON o.oid = ANY(i.indclass)
  WHERE i.indrelid = $1::regclass AND a.attname = $2 AND m.amname = $3 AND i.indisvalid AND i.indpred IS NULL
    AND o.opcname = 'vector_cosine_ops'`

/** Numbers of the table, its database and, where the role may read it, the cluster. */
async function identityOf(client: Client, table: string) {
  const { rows } = await client.query<{ table: number; database: number; may: boolean }>(
    "SELECT $1::regclass::oid AS table, oid AS database, has_function_privilege('pg_control_system()', 'EXECUTE') AS may FROM pg_database WHERE datname = current_database()",
    [table],
  )
  const [{ may, ...oids }] = rows
  if (!may) return oids
  const {
    rows: [{ system }],
  } = await client.query<{ system: string }>(
    'SELECT system_identifier::text AS system FROM pg_control_system()',
  )
  return { ...oids, system }
}

/** Name in SQL; a dot is between a schema and a table. */
const quoted = (name: string) =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')
