import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { checkRecall, defineEngine, urlEnv } from '../define.ts'
import { pgvectorTable, removeTable, versionOf } from './table.ts'

/** Results of an HNSW search at most: pgvector's limit of `hnsw.ef_search`. */
const MAX = 1000

const shape = {
  urlEnv: urlEnv('TOUCHSTONE_POSTGRES'),
  index: z
    .enum(['exact', 'hnsw', 'ivfflat'])
    .default('hnsw')
    .describe('index of the table; `exact` has none, and every row is compared'),
  m: z.int().min(2).max(100).default(16).describe('edges of a node; hnsw'),
  efConstruction: z.int().min(4).max(1000).default(64).describe('candidates at build time; hnsw'),
  efSearch: z.int().min(1).max(1000).default(40).describe('candidates of a search, `pool` at least; hnsw'),
  lists: z
    .int()
    .min(1)
    .max(32_768)
    .optional()
    .describe('clusters; default: the square root of the number of rows; ivfflat'),
  probes: z.int().min(1).max(32_768).default(10).describe('clusters that a search reads; ivfflat'),
  checkRecall,
}

/**
 * PostgreSQL with pgvector: dense search over the same vectors as `naive`, as its index finds them.
 */
export const pgvector = defineEngine({
  name: 'pgvector',
  summary: 'PostgreSQL with pgvector: dense search, exact, by HNSW or by IVFFlat',
  source: 'pgvector 0.8; Malkov and Yashunin, TPAMI 2020 (HNSW)',
  params: z.strictObject(shape).superRefine(({ index, m, efConstruction }, { addIssue }) => {
    if (index === 'hnsw' && efConstruction < 2 * m)
      addIssue({
        code: 'custom',
        path: ['efConstruction'],
        message: `must be 2 \`m\` or more, that is ${2 * m}`,
      })
  }),
  dense(recipe, params, depth) {
    const { urlEnv, efSearch, probes, index, m, efConstruction, lists } = params
    if (index === 'hnsw' && depth > MAX)
      throw new UserError(`\`pool\` must be ${MAX} or less with \`index: hnsw\``)
    const how = { efSearch, probes }
    const table = { index, m, efConstruction, ...(lists !== undefined && { lists }) }
    return { index: pgvectorTable(recipe, urlEnv, table), how }
  },
  version: ({ urlEnv }) => versionOf(urlEnv),
  remove: ({ urlEnv }, table) => removeTable(urlEnv, table),
})
