import { z } from 'zod'
import { chunkSpans } from '../../corpus/corpus.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankList } from '../../ranking/order.ts'
import { derived } from '../../store/artifact.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { defineStrategy } from './index.ts'

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

export default defineStrategy({
  name: 'whole-corpus',
  summary: 'every chunk in corpus order, all sent: the upper limit of recall and cost',
  source: 'Touchstone; the long context that retrieval is compared with',
  params: z.strictObject({}),
  make: () => ({ retrieve: (query) => ({ ranking: takeAll([query]), sendsAll: true }) }),
})
