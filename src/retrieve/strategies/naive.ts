import { z } from 'zod'
import { embedQuery } from '../steps/embed.ts'
import { engineName, searchDenseIn } from '../steps/engine.ts'
import { defineStrategy } from './define.ts'

/**
 * Naive RAG: embed the query, rank chunks by cosine.
 *
 *     score(chunk) = cos(embed(query), embed(title \n text))
 */
export const naive = defineStrategy({
  name: 'naive',
  summary: 'dense search: chunks by cosine to the query',
  source: 'Lewis et al., NeurIPS 2020; Karpukhin et al., EMNLP 2020',
  params: z.strictObject({
    pool: z.int().min(1).max(10_000).default(100).describe('chunks that the search returns'),
    engine: engineName('the search'),
  }),
  retrieve({ query, params: { pool: depth, engine } }) {
    const vector = embedQuery([query], null)
    return { ranking: searchDenseIn(engine, vector, depth) }
  },
})
