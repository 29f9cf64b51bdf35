import { neighboursOf } from '../../../corpus/graph/csr.ts'
import { pagerank, type Reset } from '../../../corpus/graph/pagerank.ts'
import { titleLinks } from '../../../corpus/graph/title-links.ts'
import { leadsOn, type TitleResetOptions, titledIn, titleReset } from '../../../corpus/graph/titles.ts'
import type { Recipe } from '../../../corpus/recipe.ts'
import type { Mask } from '../../../ranking/mask.ts'
import { EMPTY_RANKING, head, rankScores } from '../../../ranking/order.ts'
import { derived } from '../../../store/artifact.ts'
import type { Query, Ranking } from '../../../types.ts'
import { defineStep } from '../../step.ts'
import type { Walked } from '../../walked.ts'

const readsLinks = (recipe: Recipe) => ({ links: titleLinks(recipe) })

/** Passages whose titles the query contains, with the titles' rarity. Counted as `links`. */
export const linkTitles = defineStep({
  name: 'link-titles',
  version: 2,
  artifacts: (recipe, _params: null) => readsLinks(recipe),
  counts: ({ nodes }: Reset) => ({ links: nodes.length }),
  run: ([{ text }]: readonly [Query], { artifacts: { links } }) => titledIn(text, links.titles, links.rarity),
})

/** Reset of a walk; `leads` is true if a start passage is titled in the query or has a link. */
type TitleReset = Reset & { readonly leads: boolean }

export const resetTitles = defineStep({
  name: 'title-reset',
  version: 2,
  artifacts: (recipe, _params: TitleResetOptions) => readsLinks(recipe),
  fellBack: ({ leads }: TitleReset) =>
    leads ? null : "no title is linked, and the prior's best passages have no links",
  run([prior, titled]: readonly [Ranking, Reset], { params, artifacts: { links } }): TitleReset {
    const reset = titleReset(prior, titled, params, links.csr.nodes)
    return { ...reset, leads: leadsOn(reset, titled, params, links.csr) }
  },
})

/** The `depth` passages with the highest personalised PageRank over title links; none where no walk leads anywhere. */
export const walkTitles = defineStep({
  name: 'title-walk',
  version: 8,
  within: true,
  channel: 'graph',
  yields: 'ranking',
  artifacts: (recipe, _params: { readonly damping: number; readonly depth: number }) => readsLinks(recipe),
  walked: (recipe) =>
    derived(
      'walked_titles',
      readsLinks(recipe),
      ({ links }) =>
        ([starts]: readonly [Reset]): Walked => ({
          starts,
          neighbours: (row) => neighboursOf(links.csr, row),
          entries: (row) => [row],
          endOf: (row) => row,
        }),
    ),
  runBlock(
    block: readonly (readonly [TitleReset, Mask?])[],
    { params: { damping, depth }, artifacts: { links } },
  ) {
    const walked = block.filter(([{ leads }]) => leads)
    const resets = walked.map(([reset]) => reset)
    const rankings = pagerank(links.walk, resets, damping, (scores, query) =>
      rankScores(scores, depth, { within: walked[query][1]?.kept }),
    )
    let next = 0
    return block.map(([{ leads }]) => (leads ? reachedOf(rankings[next++]) : EMPTY_RANKING))
  },
})

/** Without the passages that a walk did not reach at all. */
function reachedOf(ranking: Ranking): Ranking {
  let count = ranking.rows.length
  while (count > 0 && ranking.scores[count - 1] <= 0) count--
  return head(ranking, count)
}
