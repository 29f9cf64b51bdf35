import { denseIndex } from '../indexes/dense.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'

/** The `depth` chunks nearest to a query vector by cosine, exact. Scores are cosines. A zero vector finds nothing. */
export const searchDense = defineStep<{ depth: number }, [Float32Array], ReturnType<typeof needs>, Ranking>({
  name: 'dense',
  version: 1,
  channel: 'dense',
  yields: 'ranking',
  artifacts: needs,
  runBlock(block, { params, artifacts }) {
    return artifacts.dense.search(
      block.map(([vector]) => vector),
      params.depth,
    )
  },
})

function needs(recipe: Parameters<typeof denseIndex>[0]) {
  return { dense: denseIndex(recipe) }
}
