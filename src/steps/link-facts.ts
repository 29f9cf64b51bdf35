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
    const vectors = block.map(([vector]) => vector)
    const best = index.search(vectors, params.facts)
    // The least cosine is the greatest one to the opposite vector.
    const opposite = index.search(
      vectors.map((vector) => vector.map((value) => -value)),
      1,
    )
    return best.map(({ rows, scores }, i) => {
      if (rows.length === 0) return { rows, scores }
      return { rows, scores: minMaxOrOne([...scores, -opposite[i].scores[0]]).slice(0, rows.length) }
    })
  },
})

function needs(recipe: Recipe) {
  return { index: factIndex(recipe) }
}
