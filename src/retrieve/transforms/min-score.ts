import { z } from 'zod'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { defineRankingTransform } from './define.ts'

const cut = defineStep<{ least: number }, [Ranking], Record<never, never>, Ranking>({
  name: 'min-score',
  version: 1,
  yields: 'ranking',
  run([{ rows, scores }], { params: { least } }) {
    const kept = scores.filter((score) => score >= least).length
    return { rows: rows.slice(0, kept), scores: scores.slice(0, kept) }
  },
})

/** Keeps chunks whose score, in whatever unit the step before gives, is at least `least`. */
export const minScore = defineRankingTransform({
  kind: 'ranking',
  name: 'min-score',
  summary: 'drops chunks below a score of the previous step',
  source: 'seed document 002 (cosine from 0.45)',
  params: z.strictObject({
    least: z.number().default(0.45).describe('minimum score; 0.45 is meant for cosines'),
  }),
  apply({ ranking, params }) {
    return cut([ranking], { least: params.least })
  },
})
