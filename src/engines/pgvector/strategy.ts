import { z } from 'zod'
import { apiKeyEnv } from '../../models/http/params.ts'
import { EMPTY_RANKING } from '../../ranking/order.ts'
import { defineStep, type Expression } from '../../retrieve/step.ts'
import { embedQuery } from '../../retrieve/steps/embed.ts'
import { pool } from '../../retrieve/steps/params.ts'
import { defineStrategy } from '../../retrieve/strategies/define.ts'
import type { Ranking } from '../../types.ts'
import { comparedWithExact, isZero, requireWhole } from '../steps.ts'
import { type PgvectorSearch, type PgvectorTableParams, pgvectorTable } from './table.ts'

type Search = { readonly table: PgvectorTableParams; readonly how: PgvectorSearch; readonly depth: number }

function searchPgvector(
  vector: Expression<Float32Array>,
  urlEnv: string,
  params: Search,
): Expression<Ranking> {
  // The database is no param: the key depends on the content of the table.
  const step = defineStep({
    name: 'search-pgvector',
    version: 1,
    channel: 'dense',
    yields: 'ranking',
    artifacts: (recipe, { table }: Search) => ({ engine: pgvectorTable(recipe, urlEnv, table) }),
    async run([vector]: readonly [Float32Array], { params: { how, depth }, artifacts: { engine } }) {
      return isZero(vector) ? EMPTY_RANKING : engine.search(vector, depth, how)
    },
  })
  return step([vector], params)
}

/** Maximum results of an HNSW search: pgvector's limit of `hnsw.ef_search`. */
const MAX = 1000

const params = z
  .strictObject({
    urlEnv: apiKeyEnv
      .default('TOUCHSTONE_POSTGRES')
      .describe('the NAME of the environment variable that holds the connection string'),
    index: z
      .enum(['exact', 'hnsw', 'ivfflat'])
      .default('hnsw')
      .describe('which index the table has; `exact` has none, and every row is compared'),
    m: z.int().min(2).max(100).default(16).describe('edges of a node; hnsw'),
    efConstruction: z.int().min(4).max(1000).default(64).describe('candidates while it is built; hnsw'),
    efSearch: z.int().min(1).max(1000).default(40).describe('candidates of a search, `pool` at least; hnsw'),
    lists: z
      .int()
      .min(1)
      .max(32_768)
      .optional()
      .describe('clusters; the root of the rows if left out; ivfflat'),
    probes: z.int().min(1).max(32_768).default(10).describe('clusters that a search looks at; ivfflat'),
    exact: z
      .boolean()
      .default(true)
      .describe('search exactly too, here, and count which share of that is found'),
    pool: pool(),
  })
  .superRefine(({ index, m, efConstruction, pool }, { addIssue }) => {
    if (index !== 'hnsw') return
    const refuse = (key: string, message: string) => addIssue({ code: 'custom', path: [key], message })
    if (pool > MAX) refuse('pool', `must be ${MAX} or less with \`index: hnsw\``)
    if (efConstruction < 2 * m) refuse('efConstruction', `must be 2 \`m\` or more, that is ${2 * m}`)
  })

/**
 * Dense search by PostgreSQL with pgvector, over the same vectors as `naive`: chunks by cosine, as its index finds them. The
 * trace shows the share of the exact first 10 that was found.
 */
export const pgvector = defineStrategy({
  name: 'pgvector',
  summary: 'dense search by PostgreSQL with pgvector: exact, HNSW or IVFFlat',
  source: 'pgvector 0.8; Malkov and Yashunin, TPAMI 2020 (HNSW)',
  params,
  retrieve({ query, params: { urlEnv, efSearch, probes, exact, pool: depth, ...table } }) {
    requireWhole(query.recipe, 'pgvector')
    const vector = embedQuery([query], null)
    const found = searchPgvector(vector, urlEnv, { table, how: { efSearch, probes }, depth })
    return { ranking: comparedWithExact(found, vector, exact) }
  },
})
