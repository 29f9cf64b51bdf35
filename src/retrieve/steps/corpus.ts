import { chunkSpans } from '../../corpus/corpus.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { createRandomFor, drawDistinct } from '../../random.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankList } from '../../ranking/rank-list.ts'
import { derived } from '../../store/artifact.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'

/** `depth` chunks by chance, each as likely, in any order: the same for the same seed and text. Scores are 1/rank. */
export const drawChunks = defineStep({
  name: 'random',
  channel: 'corpus',
  within: true,
  artifacts: (recipe, _: { readonly seed: number; readonly depth: number }) => ({
    chunks: chunkSpans(recipe),
  }),
  run([{ text }, mask]: [Query, Mask?], { params: { seed, depth }, artifacts: { chunks } }) {
    const random = createRandomFor(seed, text)
    if (!mask) return rankList(drawDistinct(chunks.length, depth, random))
    return rankList(drawDistinct(mask.rows.length, depth, random).map((index) => mask.rows[index]))
  },
})

/** Every chunk in the order of the corpus: one list in memory for all queries. Scores are 1/rank. */
export const takeAll = defineStep<null, readonly [Query, Mask?], Ranking, ReturnType<typeof readsAll>>({
  name: 'whole-corpus',
  channel: 'corpus',
  within: true,
  artifacts: readsAll,
  run: ([, mask], { artifacts: { all } }) => (mask ? rankList([...mask.rows]) : all),
})

function readsAll(recipe: Recipe) {
  return {
    all: derived('whole_corpus', { chunks: chunkSpans(recipe) }, ({ chunks }) =>
      rankList([...chunks.keys()]),
    ),
  }
}
