import { blockPower } from '../graph/pagerank/block.ts'
import { type TitleResetOptions, titledIn, titleReset, walkStarts } from '../graph/title-reset.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { titleLinks } from '../indexes/title-links.ts'
import { EMPTY, head } from '../ranking/order.ts'
import { append } from '../ranking/rank-list.ts'
import type { Query, Ranking } from '../types.ts'
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

/** The passages from which a walk with this reset gets anywhere: titled in the query, or with a link. */
export const findTitleStarts = defineStep<
  TitleResetOptions,
  [Ranking, readonly number[]],
  ReturnType<typeof needs>,
  Ranking
>({
  name: 'title-starts',
  version: 1,
  artifacts: needs,
  run([prior, titled], { params, artifacts: { links } }) {
    return walkStarts(titleReset(prior, titled, params), titled, params, links.walk.csr)
  },
})

type WalkParams = TitleResetOptions & { readonly damping: number; readonly depth: number }

/** The `depth` passages with the highest personalised PageRank over title links, from a prior and the titles in the query. */
export const walkTitles = defineStep<
  WalkParams,
  [Ranking, readonly number[]],
  ReturnType<typeof needs>,
  Ranking
>({
  name: 'title-walk',
  version: 5,
  channel: 'graph',
  yields: 'ranking',
  artifacts: needs,
  runBlock(block, { params, artifacts: { links } }) {
    const { damping, depth } = params
    const { nodes } = links.walk.csr
    const resets = block.map(([prior, titled]) => titleReset(prior, titled, params))
    const walked = resets.filter((reset) => reset.nodes.length > 0)
    const options = { damping, from: 0, to: nodes, depth: Math.min(depth, nodes) }
    const rankings = blockPower(links.walk, walked, options)
    let next = 0
    return resets.map((reset) => (reset.nodes.length > 0 ? found(rankings[next++]) : EMPTY))
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
