import { z } from 'zod'
import { pool } from '../steps/params.ts'
import { searchSparse } from '../steps/search-sparse.ts'
import { defineStrategy } from './define.ts'

/**
 * Learned sparse retrieval: query and chunk are weights of words, of ones that they do not hold too.
 *
 *     score(chunk) = sum over words w of weight(w, query) * weight(w, chunk)
 *
 * What gives the weights stands in `prepare.sparse`.
 */
export const sparse = defineStrategy({
  name: 'sparse',
  summary: 'learned sparse vectors (SPLADE): weights of words, of ones that a text does not hold too',
  source: 'Formal et al., SIGIR 2021',
  params: z.strictObject({ pool: pool() }),
  retrieve({ query, params }) {
    return { ranking: searchSparse([query], { depth: params.pool }) }
  },
})
