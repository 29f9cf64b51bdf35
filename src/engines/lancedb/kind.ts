import { z } from 'zod'
import { indexedTexts } from '../../corpus/chunks/units.ts'
import { checkRecall, defineEngine, refuseBm25 } from '../define.ts'
import { existingShape, refuseBuilt } from '../existing.ts'
import { existingTexts, existingVectors } from './existing.ts'
import { lanceChunks, lanceTexts, removeTable, versionAt } from './table.ts'

const shape = {
  path: z.string().min(1).optional().meta({ path: true, place: true }).describe('the folder with the tables'),
  s3: z
    .string()
    .regex(/^s3:\/\/[\w.-]+(\/.*)?$/, 'must be s3://BUCKET or s3://BUCKET/PREFIX')
    .optional()
    .meta({ place: true })
    .describe(
      'the bucket with the tables; keys, region and endpoint come from the environment variables of AWS',
    ),
  index: z
    .enum(['ivf_rq', 'ivf_pq', 'exact'])
    .default('ivf_rq')
    .describe('index of the table; `exact` compares every row'),
  partitions: z.int().min(1).max(65_536).optional().describe("clusters; default: LanceDB's choice"),
  probes: z.int().min(1).max(65_536).default(20).describe('clusters that a search reads'),
  refine: z
    .int()
    .min(1)
    .max(1000)
    .default(10)
    .describe('score this many times `pool` candidates again with the full vectors'),
  checkRecall,
  ...existingShape('a table', 'id'),
}

/** LanceDB on a disk or in a bucket: dense search by its index, lexical search by its full-text index. */
export const lancedb = defineEngine({
  name: 'lancedb',
  summary: 'LanceDB, on a disk or in a bucket: dense search by IVF_RQ, IVF_PQ or exact, and its own BM25',
  source: 'LanceDB; Gao and Long, RaBitQ, SIGMOD 2024 (IVF_RQ); Jégou et al., TPAMI 2011 (IVF_PQ)',
  params: z
    .strictObject(shape)
    .superRefine(refuseBuilt(shape, ['partitions']))
    .superRefine(({ path, s3 }, { addIssue }) => {
      if ((path === undefined) === (s3 === undefined))
        addIssue({ code: 'custom', path: [], message: 'needs `path` or `s3`, and not both' })
    }),
  // No file is pinned: the folder is created on demand, and the key of a table covers its content.
  files: (): Readonly<Record<string, string>> => ({}),
  dense(recipe, { path, s3, index, partitions, probes, refine, existing, ...fields }) {
    const uri = path ?? s3 ?? ''
    if (existing !== undefined)
      return {
        index: existingVectors(recipe, uri, { ...fields, existing }, index),
        how: { probes, refine },
      }
    const table = { index, ...(partitions !== undefined && { partitions }) }
    return { index: lanceChunks(recipe, { uri }, table), how: { probes, refine } }
  },
  lexical(recipe, { path, s3, existing, ...fields }, bm25) {
    refuseBm25("LanceDB's BM25", bm25)
    const uri = path ?? s3 ?? ''
    const index =
      existing === undefined
        ? lanceTexts(indexedTexts(recipe), { uri })
        : existingTexts(recipe, uri, { ...fields, existing })
    return { index, how: null }
  },
  version: ({ path, s3 }) => versionAt(path ?? s3 ?? ''),
  remove: ({ uri }, table) => removeTable(uri, table),
})
