import { z } from 'zod'
import { chunkSpans } from '../../corpus/corpus.ts'
import { createRandomFor, drawDistinct } from '../../random.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankList } from '../../ranking/order.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import { pool, seed } from '../steps/params.ts'
import { defineStrategy } from './index.ts'

/** `depth` chunks by chance, each as likely, in any order: the same for the same seed and text. Scores are 1/rank. */
export const drawChunks = defineStep({
  name: 'random',
  channel: 'corpus',
  within: true,
  artifacts: (recipe, _: { readonly seed: number; readonly depth: number }) => ({
    chunks: chunkSpans(recipe),
  }),
  run([{ text }, mask]: [Query, Mask?], { params: { seed, depth }, artifacts: { chunks } }) {
    const random = createRandomFor(seed, text)
    if (!mask) return rankList(drawDistinct(chunks.length, depth, random))
    return rankList(drawDistinct(mask.rows.length, depth, random).map((index) => mask.rows[index]))
  },
})

export default defineStrategy({
  name: 'random',
  summary: 'chunks in random order, seeded: the lower limit of every table',
  source: 'Touchstone; xoshiro128** (Blackman and Vigna, 2018)',
  params: z.strictObject({
    seed: seed(0, 'seed of the draws; the same seed and query draw the same'),
    pool: pool(),
  }),
  make: ({ seed, pool: depth }) => ({
    retrieve: (query) => ({ ranking: drawChunks([query], { seed, depth }) }),
  }),
})
