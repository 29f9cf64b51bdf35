import { blockPower } from '../graph/pagerank/block.ts'
import type { SparseReset } from '../graph/pagerank/walk.ts'
import { leadsOn, type TitleResetOptions, titledIn, titleReset } from '../graph/title-reset.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { titleLinks } from '../indexes/title-links.ts'
import { EMPTY, head } from '../ranking/order.ts'
import { append } from '../ranking/rank-list.ts'
import type { Query, Ranking } from '../types.ts'
import { countFallback } from './fallback.ts'
import { defineStep } from './step.ts'

/** The passages whose titles stand in the query, ascending. Counted as `links`. */
export const linkTitles = defineStep<null, [Query], ReturnType<typeof needs>, readonly number[]>({
  name: 'link-titles',
  version: 1,
  artifacts: needs,
  counts: ({ length }) => ({ links: length }),
  run([{ text }], { artifacts: { links } }) {
    return titledIn(text, links.titles)
  },
})

/** A reset, and whether a walk from it gets anywhere: from a passage titled in the query, or one with a link. */
export const resetTitles = defineStep<
  TitleResetOptions,
  [Ranking, readonly number[]],
  ReturnType<typeof needs>,
  SparseReset & { readonly leads: boolean }
>({
  name: 'title-reset',
  version: 1,
  artifacts: needs,
  counts: ({ leads }) =>
    countFallback(!leads, "no title is linked, and no link leads on from the prior's best"),
  run([prior, titled], { params, artifacts: { links } }) {
    const reset = titleReset(prior, titled, params)
    return { ...reset, leads: leadsOn(reset, titled, params, links.walk.csr) }
  },
})

type WalkParams = { readonly damping: number; readonly depth: number }

/** The `depth` passages with the highest personalised PageRank over title links; none where no walk leads anywhere. */
export const walkTitles = defineStep<
  WalkParams,
  [SparseReset & { readonly leads: boolean }],
  ReturnType<typeof needs>,
  Ranking
>({
  name: 'title-walk',
  version: 6,
  channel: 'graph',
  yields: 'ranking',
  artifacts: needs,
  runBlock(block, { params, artifacts: { links } }) {
    const { damping, depth } = params
    const { nodes } = links.walk.csr
    const resets = block.map(([reset]) => reset)
    const walked = resets.filter(({ leads }) => leads)
    const options = { damping, from: 0, to: nodes, depth: Math.min(depth, nodes) }
    const rankings = blockPower(links.walk, walked, options)
    let next = 0
    return resets.map(({ leads }) => (leads ? found(rankings[next++]) : EMPTY))
  },
})

/** What a walk reached at all. */
function found(ranking: Ranking): Ranking {
  let count = ranking.rows.length
  while (count > 0 && ranking.scores[count - 1] <= 0) count--
  return head(ranking, count)
}

/** The first ranking, then what only the second has, strictly below, to `depth`. */
export const appendRanking = defineStep<
  { readonly depth: number },
  [Ranking, Ranking],
  Record<never, never>,
  Ranking
>({
  name: 'append',
  version: 1,
  yields: 'ranking',
  run([first, tail], { params }) {
    return append(first, tail, params.depth)
  },
})

function needs(recipe: Recipe) {
  return { links: titleLinks(recipe) }
}
