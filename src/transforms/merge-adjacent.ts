import { z } from 'zod'
import type { Recipe } from '../indexes/recipe.ts'
import { textUnits } from '../indexes/text-units.ts'
import { head } from '../ranking/order.ts'
import { append, rankList } from '../ranking/rank-list.ts'
import { defineStep } from '../steps/step.ts'
import type { Chunk, Ranking } from '../types.ts'
import { defineRankingTransform } from './define.ts'

const bringTogether = defineStep<{ from: number }, [Ranking], ReturnType<typeof needs>, Ranking>({
  name: 'merge-adjacent',
  version: 1,
  yields: 'ranking',
  artifacts: needs,
  run([ranking], { params: { from }, artifacts: { chunks } }) {
    const merged = mergeAdjacent(head(ranking, from).rows, chunks)
    return append(rankList(merged), ranking, ranking.rows.length)
  },
})

/** Rows best first, where each run of neighbours in a document stands whole, in reading order, at its best one's place. */
export function mergeAdjacent(
  rows: ArrayLike<number>,
  chunks: readonly Pick<Chunk, 'documentId' | 'position'>[],
): number[] {
  const placeOf = ({ documentId, position }: Pick<Chunk, 'documentId' | 'position'>) =>
    `${position} ${documentId}`
  const there = new Map(Array.from(rows, (row) => [placeOf(chunks[row]), row]))
  const merged = new Set<number>()
  for (let i = 0; i < rows.length; i++) {
    if (merged.has(rows[i])) continue
    const { documentId, position } = chunks[rows[i]]
    const at = (place: number) => there.get(placeOf({ documentId, position: place }))
    let first = position
    while (at(first - 1) !== undefined) first--
    for (let row = at(first); row !== undefined; row = at(++first)) merged.add(row)
  }
  return [...merged]
}

/**
 * Chunk fusion: chunks of one document that follow each other are brought together, so that a context reads on. A run
 * stands at the place of its best chunk, in reading order. The new order scores 1/rank.
 */
export const mergeAdjacentChunks = defineRankingTransform({
  kind: 'ranking',
  name: 'merge-adjacent',
  summary: 'brings chunks together that follow each other in a document',
  source: 'seed document 001, chunk fusion',
  params: z.strictObject({
    from: z.int().min(1).max(1000).default(20).describe('how many of the best chunks are looked at'),
  }),
  apply({ ranking, params }) {
    return bringTogether([ranking], { from: params.from })
  },
})

function needs(recipe: Recipe) {
  return { chunks: textUnits(recipe) }
}
