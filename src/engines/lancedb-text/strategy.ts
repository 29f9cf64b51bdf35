import { z } from 'zod'
import { lancePlace, refuseBothPlaces, requireWhole, searchLanceText } from '../../retrieve/steps/engines.ts'
import { pool } from '../../retrieve/steps/params.ts'
import { defineStrategy } from '../../retrieve/strategies/define.ts'

/**
 * Lexical search by LanceDB's full-text index. Its BM25 and its analysis of words are its own, so its scores are not those of
 * `bm25`, and it is a strategy of its own name.
 */
export const lancedbText = defineStrategy({
  name: 'lancedb-text',
  summary: "lexical search by LanceDB's full-text index, whose BM25 is its own",
  source: 'LanceDB, full-text search',
  params: z.strictObject({ ...lancePlace, pool: pool() }).superRefine(refuseBothPlaces),
  // The folder is made where it is not there; what it holds has the key of its content.
  files: (): Readonly<Record<string, string>> => ({}),
  retrieve({ query, params: { path, s3, pool: depth } }) {
    requireWhole(query.recipe, 'lancedb-text')
    return { ranking: searchLanceText(query, { uri: path ?? s3 ?? '' }, depth) }
  },
})
