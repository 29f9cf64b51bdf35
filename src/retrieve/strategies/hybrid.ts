import { z } from 'zod'
import { FUSIONS } from '../../ranking/fuse.ts'
import { NORMS } from '../../ranking/normalize.ts'
import { engineName, refuseAnalysis } from '../steps/engine.ts'
import { fuseSides } from '../steps/fuse.ts'
import { ALPHA, hybridSides } from '../steps/hybrid.ts'
import { bm25Params, bm25Shape, LIST_NORMS, pool } from '../steps/params.ts'
import { defineStrategy } from './define.ts'

/**
 * Dense and lexical search, fused:
 *
 *     weighted (default)  alpha * norm(cosine) + (1 - alpha) * norm(BM25)
 *     rrf                 alpha / (rrfK + dense rank) + (1 - alpha) / (rrfK + BM25 rank)
 *
 * and max, multiplicative, combmnz of the normalised scores, where alpha plays no part. With the norm `corpus` each side
 * scores all that either lists, and its scale ends at its lowest and highest score over all chunks; the other norms see
 * the pool only, and a chunk missing on one side gets nothing from it. A side with weight 0 is not read.
 */
export const hybrid = defineStrategy({
  name: 'hybrid',
  summary: 'dense and lexical search, fused',
  source: 'Bruch, Gai, Ingber, TOIS 2023 (weighted); Cormack, Clarke, Buettcher, SIGIR 2009 (rrf)',
  params: z
    .strictObject({
      fusion: z.enum(FUSIONS).default('weighted').describe('fusion of the two lists'),
      norm: z.enum(NORMS).default('corpus').describe('normalisation of scores to one scale; rrf ignores it'),
      alpha: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe('weight of the dense side; 0.5 if left out; max, multiplicative and combmnz ignore it'),
      pool: pool(),
      rrfK: z
        .number()
        .min(0)
        .max(10_000)
        .default(60)
        .describe('constant added to ranks; the larger, the less the first ranks stand out; rrf only'),
      ...bm25Shape,
      denseEngine: engineName('dense search'),
      lexicalEngine: engineName('lexical search'),
    })
    .superRefine(refuseAnalysis('lexicalEngine'))
    .superRefine(({ denseEngine, lexicalEngine, fusion, norm }, { addIssue }) => {
      const isEngine = denseEngine !== undefined || lexicalEngine !== undefined
      if (isEngine && fusion !== 'rrf' && !(LIST_NORMS as readonly string[]).includes(norm))
        addIssue({
          code: 'custom',
          path: ['norm'],
          message: `\`${norm}\` needs scores that an engine does not give; take \`fusion: rrf\` or \`norm\` ${LIST_NORMS.join(', ')}`,
        })
    }),
  retrieve({ query, params }) {
    const { fusion, norm, rrfK, pool: depth } = params
    const alpha = fusion === 'weighted' || fusion === 'rrf' ? (params.alpha ?? ALPHA[fusion]) : 0.5
    const { denseEngine, lexicalEngine } = params
    const engines = { dense: denseEngine, lexical: lexicalEngine }
    const sides = hybridSides(query, { alpha, depth, index: bm25Params(params), engines })
    return { ranking: fuseSides(sides, fusion === 'rrf' ? { fusion, rrfK } : { fusion, norm }) }
  },
})
