import { z } from 'zod'
import { FUSIONS } from '../../ranking/fuse.ts'
import { NORMS } from '../../ranking/normalize.ts'
import { fuseSides } from '../steps/combine.ts'
import { bm25Params, bm25Shape, pool, weight } from '../steps/params.ts'
import { ALPHA, hybridSides } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

export default defineStrategy({
  name: 'hybrid',
  summary: 'dense and lexical search, fused',
  source: 'Bruch, Gai, Ingber, TOIS 2023 (weighted); Cormack, Clarke, Buettcher, SIGIR 2009 (rrf)',
  params: z.strictObject({
    fusion: z.enum(FUSIONS).default('weighted').describe('fusion of the two lists'),
    norm: z.enum(NORMS).default('corpus').describe('normalisation of scores to one scale; rrf ignores it'),
    alpha: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('weight of the dense side; default: 0.5; max, multiplicative and combmnz ignore it'),
    pool: pool(),
    rrfK: weight(
      60,
      'constant added to ranks; the larger, the less the first ranks dominate; rrf only',
      10_000,
    ),
    ...bm25Shape,
  }),
  make: (params) => ({
    retrieve(query) {
      const { fusion, norm, rrfK, pool: depth } = params
      const alpha = fusion === 'weighted' || fusion === 'rrf' ? (params.alpha ?? ALPHA[fusion]) : 0.5
      const sides = hybridSides(query, { alpha, depth, index: bm25Params(params) })
      return { ranking: fuseSides(sides, fusion === 'rrf' ? { fusion, rrfK } : { fusion, norm }) }
    },
  }),
})
