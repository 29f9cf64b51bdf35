import { minMaxOrOne } from '../graph/hippo-reset.ts'
import { factIndex } from '../indexes/facts.ts'
import type { Recipe } from '../indexes/recipe.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'

/**
 * The `facts` best facts for a query vector: rows are facts, scores cosines moved to 0..1 by the least and the greatest
 * cosine over all facts. A zero vector links nothing. Counted as `links`.
 */
export const linkFacts = defineStep<{ facts: number }, [Float32Array], ReturnType<typeof needs>, Ranking>({
  name: 'link-facts',
  version: 1,
  artifacts: needs,
  counts: ({ rows }) => ({ links: rows.length }),
  runBlock(block, { params, artifacts: { index } }) {
    const found = index.searchWithLeast(
      block.map(([vector]) => vector),
      params.facts,
    )
    return found.map(({ ranking: { rows, scores }, least }) => {
      if (rows.length === 0) return { rows, scores }
      return { rows, scores: minMaxOrOne([...scores, least]).slice(0, rows.length) }
    })
  },
})

function needs(recipe: Recipe) {
  return { index: factIndex(recipe) }
}
