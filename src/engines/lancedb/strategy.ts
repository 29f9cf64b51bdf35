import { z } from 'zod'
import { embedQuery } from '../../retrieve/steps/embed.ts'
import { pool } from '../../retrieve/steps/params.ts'
import { defineStrategy } from '../../retrieve/strategies/define.ts'
import { comparedWithExact, requireWhole } from '../steps.ts'
import { lancePlace, refuseBothPlaces, searchLance } from './steps.ts'

const params = z
  .strictObject({
    ...lancePlace,
    index: z
      .enum(['ivf_rq', 'ivf_pq', 'exact'])
      .default('ivf_rq')
      .describe('which index the table has; `exact` compares every row'),
    partitions: z.int().min(1).max(65_536).optional().describe("clusters; LanceDB's choice if left out"),
    probes: z.int().min(1).max(65_536).default(20).describe('clusters that a search looks at'),
    refine: z
      .int()
      .min(1)
      .max(1000)
      .default(10)
      .describe('so many times `pool` candidates are scored again with the vectors themselves'),
    exact: z
      .boolean()
      .default(true)
      .describe('search exactly too, here in memory, and count which share of that is found'),
    pool: pool(),
  })
  .superRefine(refuseBothPlaces)

/**
 * Dense search by LanceDB, over the same vectors as `naive`, on a disk or in a bucket: chunks by cosine, as its index finds
 * them. The trace shows the share of the exact first 10 that was found.
 */
export const lancedb = defineStrategy({
  name: 'lancedb',
  summary: 'dense search by LanceDB, on a disk or in a bucket: IVF_RQ, IVF_PQ or exact',
  source: 'LanceDB; Gao and Long, RaBitQ, SIGMOD 2024 (IVF_RQ); Jégou et al., TPAMI 2011 (IVF_PQ)',
  params,
  // No file is pinned: the folder is created on demand, and the key of a table covers its content.
  files: (): Readonly<Record<string, string>> => ({}),
  retrieve({ query, params: { path, s3, index, partitions, probes, refine, exact, pool: depth } }) {
    requireWhole(query.recipe, 'lancedb')
    const vector = embedQuery([query], null)
    const table = { index, ...(partitions !== undefined && { partitions }) }
    const found = searchLance(vector, { uri: path ?? s3 ?? '' }, { table, how: { probes, refine }, depth })
    return { ranking: comparedWithExact(found, vector, exact) }
  },
})
