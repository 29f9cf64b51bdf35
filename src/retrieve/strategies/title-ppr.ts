import { z } from 'zod'
import { neighboursOf } from '../../corpus/graph/csr.ts'
import type { Reset } from '../../corpus/graph/pagerank.ts'
import {
  leadsOn,
  type TitleResetOptions,
  titledIn,
  titleLinks,
  titleReset,
} from '../../corpus/graph/titles.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import type { Mask } from '../../ranking/mask.ts'
import { head, rankScores } from '../../ranking/order.ts'
import { derived } from '../../store/artifact.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression, type Walked } from '../step.ts'
import { appendRanking } from '../steps/combine.ts'
import { BM25, bm25Shape, pool, share, weight } from '../steps/params.ts'
import { ALPHA, searchBm25, searchHybrid, searchQuery } from '../steps/search.ts'
import { walkEach } from '../steps/walk.ts'
import { defineStrategy } from './index.ts'

const readsLinks = (recipe: Recipe) => ({ links: titleLinks(recipe) })

/** Passages whose titles the query contains, with the titles' rarity. Counted as `links`. */
const linkTitles = defineStep({
  name: 'link-titles',
  version: 2,
  artifacts: (recipe) => readsLinks(recipe),
  facts: ({ nodes }: Reset) => ({ counts: { links: nodes.length } }),
  run: ([{ text }]: [Query], { artifacts: { links } }) => titledIn(text, links.titles, links.rarity),
})

/** Reset of a walk; `leads` is true if a start passage is titled in the query or has a link. */
type TitleReset = Reset & { readonly leads: boolean }

export const resetTitles = defineStep({
  name: 'title-reset',
  version: 2,
  artifacts: (recipe, _: TitleResetOptions) => readsLinks(recipe),
  facts: ({ leads }: TitleReset) => ({
    fellBack: leads ? null : "no title is linked, and the prior's best passages have no links",
  }),
  run([prior, titled]: [Ranking, Reset], { params, artifacts: { links } }): TitleReset {
    const reset = titleReset(prior, titled, params, links.csr.nodes)
    return { ...reset, leads: leadsOn(reset, titled, params, links.csr) }
  },
})

/** The `depth` passages with the highest personalised PageRank over title links; none if no start has a link. */
export const walkTitles = defineStep({
  name: 'title-walk',
  version: 8,
  within: true,
  channel: 'graph',
  artifacts: (recipe, _: { readonly damping: number; readonly depth: number }) => readsLinks(recipe),
  walked: (recipe) =>
    derived(
      'walked_titles',
      readsLinks(recipe),
      ({ links }) =>
        ([starts]: [Reset]): Walked => ({
          starts,
          neighbours: (row) => neighboursOf(links.csr, row),
          entries: (row) => [row],
          endOf: (row) => row,
        }),
    ),
  runBlock(block: readonly [TitleReset, Mask?][], { params: { damping, depth }, artifacts: { links } }) {
    const resets = block.map(([reset]) => (reset.leads ? reset : undefined))
    return walkEach(links.walk, resets, damping, (scores, query) =>
      reachedOf(rankScores(scores, depth, { within: block[query][1]?.kept })),
    )
  },
})

function reachedOf(ranking: Ranking): Ranking {
  let count = ranking.rows.length
  while (count > 0 && ranking.scores[count - 1] <= 0) count--
  return head(ranking, count)
}

const params = z.strictObject({
  prior: z
    .enum(['hybrid', 'dense', 'bm25'])
    .default('hybrid')
    .describe('ranking of passages before the walk, and of passages that the walk does not reach'),
  alpha: share(ALPHA.weighted, 'weight of the dense side of a hybrid prior'),
  resetTop: z
    .int()
    .min(2)
    .max(1000)
    .default(100)
    .describe('number of best passages of the prior from which the walk starts'),
  power: weight(
    2,
    "exponent of the prior's scores at the start of the walk; higher favours the best passages",
    20,
  ),
  titleWeight: weight(
    1,
    'weight of a passage whose title is in the query, multiplied by the rarity of the title; the best passage of the prior has 1',
  ),
  damping: z.number().min(0).lt(1).default(0.5).describe('probability of following a link'),
  pool: pool(),
  fields: bm25Shape.fields,
})

/**
 * Reset of the walk: minmax(prior's 100 best) ^ 2, + rarity for each passage whose title the query contains. Where no
 * link leads on, the ranking is the prior's.
 */
export default defineStrategy({
  name: 'title-ppr',
  summary:
    "ranks passages by a random walk (personalised PageRank) from the best passages of a search, along mentions of other passages' titles",
  source: 'Touchstone; the walk as in HippoRAG (Gutiérrez et al., NeurIPS 2024)',
  params,
  make: (params) => ({
    retrieve(query) {
      const { damping, resetTop: top, power, titleWeight, pool: depth } = params
      const before = priorOf(query, params)
      const reset = resetTitles([before, linkTitles([query])], { top, power, titleWeight })
      return { ranking: appendRanking([walkTitles([reset], { damping, depth }), before], { depth }) }
    },
  }),
})

function priorOf(query: Expression<Query>, point: z.output<typeof params>): Expression<Ranking> {
  const depth = Math.max(point.pool, point.resetTop)
  const { prior, fields } = point
  const index = { ...BM25, ...(fields && { fields }) }
  if (prior === 'bm25') return searchBm25([query], { depth, index })
  if (prior === 'dense') return searchQuery(query, depth)
  return searchHybrid(query, { alpha: point.alpha, depth, index })
}
