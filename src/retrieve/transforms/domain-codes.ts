import { z } from 'zod'
import { chunkTexts } from '../../corpus/corpus.ts'
import { rankPairs } from '../../ranking/order.ts'
import { matchesOf, pattern } from '../../text/patterns.ts'
import { phrasePattern } from '../../text/phrases.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { defineRankingTransform } from './index.ts'

type Params = { readonly patterns: readonly string[]; readonly multiplier: number; readonly bonus?: number }

const boost = defineStep({
  name: 'domain-codes',
  version: 2,
  yields: 'ranking',
  artifacts: (recipe, _: Params) => ({ texts: chunkTexts(recipe) }),
  base: ([ranking]: [Ranking, Query]) => ranking,
  run(
    [ranking, { text }]: [Ranking, Query],
    { params: { patterns, multiplier, bonus = 0 }, artifacts: { texts } },
  ): Ranking {
    const codes = patterns.flatMap((pattern) => matchesOf(pattern, text))
    if (codes.length === 0) return ranking
    const codePattern = phrasePattern([...new Set(codes)], true)
    const scores = ranking.scores.map((score, i) => {
      codePattern.lastIndex = 0
      // A negative score gets better by division.
      if (!codePattern.test(texts[ranking.rows[i]])) return score
      return (score >= 0 ? score * multiplier : score / multiplier) + bonus
    })
    return rankPairs(ranking.rows, scores, ranking.rows.length)
  },
})

/** The seed document has the factor alone; after a min-max, a chunk that only the code finds has 0 and stays lost. */
export default defineRankingTransform({
  name: 'domain-codes',
  summary: 'raises chunks that contain a code of the query',
  source: 'seed document 004',
  params: z.strictObject({
    patterns: z
      .array(pattern)
      .min(1)
      .default(['ERR-\\d{3,6}', 'TICKET-\\d+', 'v\\d+\\.\\d+\\.\\d+'])
      .describe('regular expressions for codes, in any case'),
    multiplier: z.number().min(1).max(1000).default(1.5).describe('factor of the score of such a chunk'),
    bonus: z
      .number()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('added after the factor, which leaves a score of 0 unchanged'),
  }),
  make: (params) => ({ rank: (ranking, query) => boost([ranking, query], params) }),
})
