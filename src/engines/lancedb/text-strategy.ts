import { z } from 'zod'
import { pool } from '../../retrieve/steps/params.ts'
import { defineStrategy } from '../../retrieve/strategies/define.ts'
import { requireWhole } from '../steps.ts'
import { lancePlace, refuseBothPlaces, searchLanceText } from './steps.ts'

/**
 * Lexical search by LanceDB's full-text index. LanceDB has its own BM25 and text analysis, so scores differ from those of
 * `bm25`.
 */
export const lancedbText = defineStrategy({
  name: 'lancedb-text',
  summary: "lexical search by LanceDB's full-text index, whose BM25 is its own",
  source: 'LanceDB, full-text search',
  params: z.strictObject({ ...lancePlace, pool: pool() }).superRefine(refuseBothPlaces),
  // No file is pinned: the folder is created on demand, and the key of a table covers its content.
  files: (): Readonly<Record<string, string>> => ({}),
  retrieve({ query, params: { path, s3, pool: depth } }) {
    requireWhole(query.recipe, 'lancedb-text')
    return { ranking: searchLanceText(query, { uri: path ?? s3 ?? '' }, depth) }
  },
})
