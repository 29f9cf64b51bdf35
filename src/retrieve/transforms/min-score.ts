import { z } from 'zod'
import { denseIndex } from '../../corpus/dense/dense.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { embedQuery } from '../steps/search.ts'
import { defineRankingTransform } from './index.ts'

type Params = { readonly least: number }

const cut = defineStep<Params, [Ranking], Ranking>({
  name: 'min-score',
  yields: 'ranking',
  run([{ rows, scores }], { params: { least } }) {
    const count = scores.filter((score) => score >= least).length
    return { rows: rows.slice(0, count), scores: scores.slice(0, count) }
  },
})

const cutByCosine = defineStep({
  name: 'min-cosine',
  yields: 'ranking',
  artifacts: (recipe, _: Params) => ({ dense: denseIndex(recipe) }),
  run([ranking, vector]: [Ranking, Float32Array], { params: { least }, artifacts: { dense } }) {
    const { rows, scores } = ranking
    const cosines = dense.cosines(rows, vector)
    const isNear = (_: number, place: number) => cosines[place] >= least
    return { rows: rows.filter(isNear), scores: scores.filter(isNear) }
  },
})

export default defineRankingTransform({
  name: 'min-score',
  summary: 'drops chunks below a score of the previous step, or below a cosine to the query',
  source: 'seed document 002 (cosine from 0.45)',
  params: z.strictObject({
    least: z.number().default(0.45).describe('minimum; 0.45 is meant for cosines'),
    by: z
      .enum(['score', 'cosine'])
      .optional()
      .describe("score of the previous step (default), or cosine of a chunk's vector to the query's"),
  }),
  make: ({ least, by }) => ({
    rank: (ranking, query) =>
      by === 'cosine' ? cutByCosine([ranking, embedQuery([query])], { least }) : cut([ranking], { least }),
  }),
})
