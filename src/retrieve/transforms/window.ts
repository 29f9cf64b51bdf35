import { z } from 'zod'
import { chunkSpans, type ReadingOrder, readingOrder } from '../../corpus/corpus.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { rankList } from '../../ranking/rank-list.ts'
import type { Chunk, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { defineRankingTransform } from './define.ts'

const widen = defineStep<{ around: number }, [Ranking], ReturnType<typeof needs>, Ranking>({
  name: 'window',
  version: 1,
  yields: 'ranking',
  artifacts: needs,
  run([ranking], { params: { around }, artifacts: { chunks, order } }) {
    return rankList(windows(ranking.rows, chunks, order, around))
  },
})

/** Rows best first, each among its neighbours in the document, in reading order; a row occurs once, at its first place. */
export function windows(
  rows: ArrayLike<number>,
  chunks: readonly Pick<Chunk, 'documentId' | 'position'>[],
  order: ReadingOrder,
  around: number,
): number[] {
  const found = new Set<number>()
  for (let i = 0; i < rows.length; i++) {
    const index = order.places[rows[i]]
    for (const row of order.rows.subarray(Math.max(0, index - around), index + around + 1))
      if (chunks[row].documentId === chunks[rows[i]].documentId) found.add(row)
  }
  return [...found]
}

/**
 * Sentence windows: each chunk brings the chunks before and after it in its document, so that small chunks are searched
 * and a readable passage is sent. The new order scores 1/rank.
 */
export const window = defineRankingTransform({
  kind: 'ranking',
  name: 'window',
  summary: 'adds the neighbours of each chunk in its document',
  source: 'LlamaIndex, sentence window retrieval',
  params: z.strictObject({
    around: z.int().min(1).max(100).default(1).describe('chunks before and after'),
  }),
  apply({ ranking, params }) {
    return widen([ranking], { around: params.around })
  },
})

function needs(recipe: Recipe) {
  return { chunks: chunkSpans(recipe), order: readingOrder(recipe) }
}
