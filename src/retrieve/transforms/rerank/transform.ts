import { z } from 'zod'
import type { Expression } from '../../step.ts'
import { defineRankingTransform } from '../define.ts'
import { isAsked } from './model.ts'
import { askReranker, candidateTexts, rerankStep, type Scored, scoreCandidates } from './steps.ts'

/**
 * Scores the first `top` chunks anew, each against the query, and sorts them by that (Nogueira and Cho, 2019). What lies
 * deeper follows below; with `keep` or `minScore` nothing does. Seed 004 has top 20, keep 5, minScore 0.3.
 */
export const rerankTransform = defineRankingTransform({
  kind: 'ranking',
  name: 'rerank',
  summary: 'sorts the first chunks by the scores of a reranker',
  source: 'Nogueira and Cho, 2019; seed document 004 (20 candidates, 5 kept, from a score of 0.3)',
  params: z.strictObject({
    by: z
      .string()
      .min(1)
      .default('lexical')
      .meta({ reranker: true })
      .describe('a name in `rerankers`, or a kind that needs no params'),
    top: z.int().min(1).max(1000).default(20).describe('number of best chunks to score again'),
    keep: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('chunks to keep of these; default: all, followed by the others'),
    minScore: z
      .number()
      .optional()
      .describe("minimum score, in the reranker's unit; other chunks are dropped"),
  }),
  apply({ ranking, query, params: { by, top, keep, minScore } }) {
    const scored: Expression<Scored> = isAsked(ranking.recipe, by)
      ? askReranker([query, candidateTexts([ranking], { depth: top })], { by })
      : scoreCandidates([query, ranking], { by, depth: top })
    return rerankStep([ranking, scored], {
      ...(keep !== undefined && { keep }),
      ...(minScore !== undefined && { minScore }),
    })
  },
})
