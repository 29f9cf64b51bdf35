import type { Recipe } from '../indexes/recipe.ts'
import { reportIndex } from '../indexes/reports.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'

/** The `communities` reports whose summaries are nearest to a vector: rows are reports, scores cosines. Counted as `links`. */
export const linkReports = defineStep<
  { communities: number },
  [Float32Array],
  ReturnType<typeof needs>,
  Ranking
>({
  name: 'link-reports',
  version: 1,
  artifacts: needs,
  counts: ({ rows }) => ({ links: rows.length }),
  runBlock(block, { params, artifacts: { index } }) {
    return index.search(
      block.map(([vector]) => vector),
      params.communities,
    )
  },
})

function needs(recipe: Recipe) {
  return { index: reportIndex(recipe) }
}
