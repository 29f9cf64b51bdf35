import { z } from 'zod'
import { FUSIONS } from '../../ranking/fuse.ts'
import { NORMS } from '../../ranking/normalize.ts'
import { embedQuery } from '../steps/embed.ts'
import { engineName, refuseAnalysis, searchEngineBoth } from '../steps/engine.ts'
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
        .describe('weight of the dense side; default: 0.5; max, multiplicative and combmnz ignore it'),
      pool: pool(),
      rrfK: z
        .number()
        .min(0)
        .max(10_000)
        .default(60)
        .describe('constant added to ranks; the larger, the less the first ranks dominate; rrf only'),
      ...bm25Shape,
      denseEngine: engineName('dense search'),
      lexicalEngine: engineName('lexical search'),
      engine: engineName('one request that searches both and is fused'),
    })
    .superRefine(refuseAnalysis('lexicalEngine'))
    .superRefine(refuseAnalysis('engine'))
    .superRefine(({ engine, denseEngine, lexicalEngine, fusion, norm, alpha }, { addIssue }) => {
      if (engine === undefined) return
      const refuse = (param: string, message: string) => addIssue({ code: 'custom', path: [param], message })
      if (denseEngine ?? lexicalEngine)
        refuse('engine', 'searches both sides; leave out `denseEngine` and `lexicalEngine`')
      if (fusion !== 'rrf' && fusion !== 'weighted')
        refuse('fusion', 'must be `rrf` or `weighted` with `engine`')
      if (fusion === 'weighted' && norm !== 'minmax')
        refuse('norm', 'must be `minmax` with `engine`; or take `fusion: rrf`')
      if (fusion === 'rrf' && alpha !== undefined)
        refuse('alpha', "is no part of an engine's RRF; leave it out")
    })
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
    const { engine, denseEngine, lexicalEngine } = params
    if (engine !== undefined) {
      const own =
        fusion === 'rrf' ? { fusion, rrfK } : { fusion: 'weighted' as const, norm: 'minmax' as const, alpha }
      return { ranking: searchEngineBoth(query, embedQuery([query], null), engine, depth, params, own) }
    }
    const engines = { dense: denseEngine, lexical: lexicalEngine }
    const sides = hybridSides(query, { alpha, depth, index: bm25Params(params), engines })
    return { ranking: fuseSides(sides, fusion === 'rrf' ? { fusion, rrfK } : { fusion, norm }) }
  },
})
