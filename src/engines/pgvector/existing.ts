import type { Client } from 'pg'
import { indexedTexts } from '../../corpus/chunks/units.ts'
import { embedTexts } from '../../corpus/dense/embeddings.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { UserError } from '../../errors.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankPairs } from '../../ranking/order.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { EngineIndex } from '../define.ts'
import {
  type ExistingFields,
  type ExistingReader,
  existingIds,
  requireCorpus,
  rowsOfIds,
} from '../existing.ts'
import { engineIndex } from '../stored.ts'
import { asked, connect, literal, type PgvectorSearch, SETTINGS, versionOf, withClient } from './table.ts'

/** A table of vectors that was there before. It is read alone; `index` names the kind of its index. */
export function existingTable(
  recipe: Recipe,
  urlEnv: string,
  { existing, idField, vectorField }: Omit<ExistingFields, 'textField'>,
  index: 'exact' | 'hnsw' | 'ivfflat',
): Artifact<EngineIndex<Float32Array>> {
  const who = `the table ${existing} of the database in ${urlEnv}`
  const [table, id, vector] = [existing, idField, vectorField].map(quoted)
  const countIn = async (client: Client) => {
    const { rows } = await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`)
    return Number(rows[0].n)
  }
  const readerOf = (client: Client): ExistingReader => ({
    name: who,
    count: () => countIn(client),
    async read(ids, withContent) {
      const content = withContent ? `, ${vector}::text AS vector` : ''
      const { rows } = await client.query<{ id: string; vector?: string }>(
        `SELECT ${id}::text AS id${content} FROM ${table} WHERE ${id}::text = ANY($1)`,
        [ids],
      )
      return new Map(rows.map(({ id, vector }) => [id, { vector: vector && JSON.parse(vector) }]))
    },
  })
  return engineIndex({
    ...{ name: 'pgvector', kind: 'pgvector', place: { urlEnv }, existing },
    params: { existing, idField, vectorField, index },
    inputs: {
      ids: existingIds(recipe),
      embeddings: embedTexts(recipe, 'chunks', indexedTexts(recipe)),
    },
    load: (_table, inputs, progress) =>
      withClient(urlEnv, async (client) => {
        const [ids, embeddings] = [await inputs.ids(), await inputs.embeddings()]
        const { rows } = await client.query<{ dims: number }>(
          `SELECT vector_dims(${vector}) AS dims FROM ${table} WHERE ${vector} IS NOT NULL LIMIT 1`,
        )
        if (rows[0] && rows[0].dims !== embeddings.dims)
          throw new UserError(
            `${who} holds vectors of dimension ${rows[0].dims}, and ${embeddings.model} has ${embeddings.dims}`,
          )
        await requireCorpus(readerOf(client), ids, { embeddings }, progress)
        return ids.length
      }),
    version: () => versionOf(urlEnv),
    isGone: async () => false,
    async open(_table, facts, inputs) {
      const ids = await inputs.ids()
      const rowOf = rowsOfIds(who, ids)
      const client = await connect(urlEnv)
      const there = await asked(() => countIn(client), who)
      if (there !== facts) {
        await client.end()
        throw new UserError(
          `${who} holds ${there} rows, and had ${facts as number} when it was checked; delete the store's folder pgvector, and prepare again`,
        )
      }
      return {
        async search(query, depth, how, within?: Mask) {
          const exact = index === 'exact' || within !== undefined
          const { rows } = await asked(async () => {
            await client.query(SETTINGS[exact ? 'exact' : index](how as PgvectorSearch, depth))
            const kept = within && Array.from(within.rows, (row) => ids[row])
            return client.query<{ id: string; distance: number }>(
              `SELECT ${id}::text AS id, ${vector} <=> $1 AS distance FROM ${table} WHERE ${vector} IS NOT NULL${kept ? ` AND ${id}::text = ANY($3)` : ''} ORDER BY ${vector} <=> $1${exact ? `, ${id}` : ''} LIMIT $2`,
              [literal(query), depth, ...(kept ? [kept] : [])],
            )
          }, who)
          const scores = rows.map(({ distance }) => 1 - distance)
          return rankPairs(
            rows.map(({ id }) => rowOf(id)),
            scores,
            depth,
          )
        },
        close: () => client.end().catch(() => {}),
      }
    },
  })
}

/** Name in SQL; a dot separates schema and table. */
const quoted = (name: string) =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')
