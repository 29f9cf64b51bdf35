import { z } from 'zod'
import { drawChunks } from '../steps/corpus.ts'
import { pool, seed } from '../steps/params.ts'
import { defineStrategy } from './index.ts'

export default defineStrategy({
  name: 'random',
  summary: 'chunks in random order, seeded: the lower limit of every table',
  source: 'Touchstone; xoshiro128** (Blackman and Vigna, 2018)',
  params: z.strictObject({
    seed: seed(0, 'seed of the draws; the same seed and query draw the same'),
    pool: pool(),
  }),
  make: ({ seed, pool: depth }) => ({
    retrieve(query) {
      return { ranking: drawChunks([query], { seed, depth }) }
    },
  }),
})
