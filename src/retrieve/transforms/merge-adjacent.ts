import { z } from 'zod'
import { chunkSpans } from '../../corpus/corpus.ts'
import { append, head, rankList } from '../../ranking/order.ts'
import type { Chunk, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { count } from '../steps/params.ts'
import { defineRankingTransform } from './index.ts'

const bringTogether = defineStep({
  name: 'merge-adjacent',
  yields: 'ranking',
  artifacts: (recipe, _: { top: number }) => ({ chunks: chunkSpans(recipe) }),
  run([ranking]: [Ranking], { params: { top }, artifacts: { chunks } }): Ranking {
    const merged = mergeAdjacent(head(ranking, top).rows, chunks)
    return append(rankList(merged), ranking, ranking.rows.length)
  },
})

/** Rows best first, with each run of neighbours in a document together, in reading order, at the place of its best chunk. */
export function mergeAdjacent(
  rows: ArrayLike<number>,
  chunks: readonly Pick<Chunk, 'documentId' | 'position'>[],
): number[] {
  const positionKey = ({ documentId, position }: Pick<Chunk, 'documentId' | 'position'>) =>
    `${position} ${documentId}`
  const there = new Map(Array.from(rows, (row) => [positionKey(chunks[row]), row]))
  const merged = new Set<number>()
  for (let i = 0; i < rows.length; i++) {
    if (merged.has(rows[i])) continue
    const { documentId, position } = chunks[rows[i]]
    const at = (position: number) => there.get(positionKey({ documentId, position }))
    let first = position
    while (at(first - 1) !== undefined) first--
    for (let row = at(first); row !== undefined; row = at(++first)) merged.add(row)
  }
  return [...merged]
}

export default defineRankingTransform({
  name: 'merge-adjacent',
  summary: 'moves adjacent chunks of a document next to each other',
  source: 'seed document 001, chunk fusion',
  params: z.strictObject({ top: count(20, 'number of best chunks considered') }),
  make: ({ top }) => ({ rank: (ranking) => bringTogether([ranking], { top }) }),
})
