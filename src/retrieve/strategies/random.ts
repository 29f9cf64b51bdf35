import { z } from 'zod'
import { drawChunks } from '../steps/corpus.ts'
import { pool, seed } from '../steps/params.ts'
import { defineStrategy } from './define.ts'

/**
 * Chunks by chance: what a measure gives to who knows nothing of the query, the floor of every table.
 *
 *     P(gold among the first k) = k / chunks
 */
export const random = defineStrategy({
  name: 'random',
  summary: 'chunks in random order, seeded: the lower limit of every table',
  source: 'Touchstone; xoshiro128** (Blackman and Vigna, 2018)',
  params: z.strictObject({
    seed: seed(0, 'seed of the draws; the same seed and query draw the same'),
    pool: pool(),
  }),
  retrieve({ query, params: { seed, pool: depth } }) {
    return { ranking: drawChunks([query], { seed, depth }) }
  },
})
