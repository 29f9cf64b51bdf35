import { z } from 'zod'
import type { Query, Ranking } from '../../../types.ts'
import type { Expression } from '../../step.ts'
import { appendRanking } from '../../steps/append.ts'
import { embedQuery } from '../../steps/embed.ts'
import { engineName, refuseAnalysis, searchBm25In, searchDenseIn } from '../../steps/engine.ts'
import { ALPHA, searchHybrid } from '../../steps/hybrid.ts'
import { BM25, bm25Shape, pool } from '../../steps/params.ts'
import { defineStrategy } from '../define.ts'
import { linkTitles, resetTitles, walkTitles } from './steps.ts'

const params = z
  .strictObject({
    prior: z
      .enum(['hybrid', 'dense', 'bm25'])
      .default('hybrid')
      .describe('ranking of passages before the walk, and of passages that the walk does not reach'),
    alpha: z
      .number()
      .min(0)
      .max(1)
      .default(ALPHA.weighted)
      .describe('weight of the dense side of a hybrid prior'),
    resetTop: z
      .int()
      .min(2)
      .max(1000)
      .default(100)
      .describe('number of best passages of the prior from which the walk starts'),
    power: z
      .number()
      .min(0)
      .max(20)
      .default(2)
      .describe("exponent of the prior's scores at the start of the walk; higher favours the best passages"),
    titleWeight: z
      .number()
      .min(0)
      .max(1000)
      .default(1)
      .describe(
        'weight of a passage whose title is in the query, multiplied by the rarity of the title; the best passage of the prior has 1',
      ),
    damping: z.number().min(0).lt(1).default(0.5).describe('probability of following a link'),
    pool: pool(),
    fields: bm25Shape.fields,
    engine: engineName('the prior, `dense` or `bm25`,'),
  })
  .superRefine(refuseAnalysis('engine'))
  .superRefine(({ prior, engine }, { addIssue }) => {
    if (engine !== undefined && prior === 'hybrid')
      addIssue({
        code: 'custom',
        path: ['engine'],
        message:
          'gives no scores of all chunks, which a hybrid prior reads; take `prior: dense` or `prior: bm25`',
      })
  })

/**
 * Personalised PageRank over links that need no model and no extraction: a passage that mentions another's title.
 *
 *     reset    minmax(prior's 100 best) ^ 2, + rarity for each passage whose title the query contains
 *     score    PPR, damping 0.5, undirected links of the mention's rarity, and one of weight 1 to itself
 *     rarity   1 / (passages that mention the title * passages that carry it)
 *
 * The prior is `hybrid`. A title that is a common word says little: counted like any other it puts its passage first
 * for every question that holds the word, and its links carry the weight of all passages to it. The link to itself
 * keeps a passage with few links, or none, from losing as much weight as one with rare links gains. What the walk does
 * not reach follows in the prior's order. If the query contains no title and no link leads on
 * from the prior's best (as in a corpus without title links), nothing is walked: the ranking is the prior's, counted as
 * a fallback. A walk from the prior's best alone is none: it finds what they are linked to. Helps where gold was chosen
 * along such links (Wikipedia's hyperlinks in HotpotQA, 2Wiki, MuSiQue); costs a little elsewhere.
 */
export const titlePpr = defineStrategy({
  name: 'title-ppr',
  summary:
    "ranks passages by a random walk (personalised PageRank) from the best passages of a search, along mentions of other passages' titles",
  source: 'Touchstone; the walk as in HippoRAG (Gutiérrez et al., NeurIPS 2024)',
  params,
  retrieve({ query, params }) {
    const { damping, resetTop: top, power, titleWeight, pool: depth } = params
    const before = priorOf(query, params)
    const reset = resetTitles([before, linkTitles([query], null)], { top, power, titleWeight })
    return { ranking: appendRanking([walkTitles([reset], { damping, depth }), before], { depth }) }
  },
})

function priorOf(query: Expression<Query>, point: z.output<typeof params>): Expression<Ranking> {
  const depth = Math.max(point.pool, point.resetTop)
  const { prior, fields, engine } = point
  const index = { ...BM25, ...(fields && { fields }) }
  if (prior === 'bm25') return searchBm25In(engine, query, depth, index)
  if (prior === 'dense') return searchDenseIn(engine, embedQuery([query], null), depth)
  return searchHybrid(query, { alpha: point.alpha, depth, index })
}
