import { z } from 'zod'
import { SIMILAR } from '../../corpus/dense/similar-chunks.ts'
import {
  askedRelations,
  chunkNeighbors,
  NEIGHBORS,
  type NeighborOptions,
} from '../../corpus/graph/chunk-neighbors.ts'
import { gains } from '../../corpus/graph/neighbors.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { UserError } from '../../errors.ts'
import type { Mask } from '../../ranking/mask.ts'
import { normalize } from '../../ranking/normalize.ts'
import { rankPairs } from '../../ranking/order.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { defineRankingTransform } from './define.ts'

const ONTO = ['minmax', 'raw'] as const
type Onto = (typeof ONTO)[number]

type Params = NeighborOptions & {
  readonly over: (typeof NEIGHBORS)[number]
  readonly top: number
  readonly hops: number
  readonly limit: number
  readonly decay: number
  readonly boost: number
  readonly onto?: Onto
}

const boostNeighbors = defineStep<Params, [Ranking, Mask?], ReturnType<typeof needs>, Ranking>({
  name: 'graph-boost',
  version: 1,
  yields: 'ranking',
  within: true,
  artifacts: needs,
  requires: askedRelations,
  run([ranking, mask], { params, artifacts: { neighbors } }) {
    const gained = gains(neighbors, ranking.rows.subarray(0, params.top), params)
    if (mask) for (const row of gained.keys()) if (mask.kept[row] === 0) gained.delete(row)
    return boosted(ranking, gained, params.limit, params.onto)
  },
})

/** Scores, by default min-max ones, plus gains, of which the `limit` greatest count (equal ones: the higher row). A chunk that was not in the ranking begins at 0. */
export function boosted(
  ranking: Ranking,
  gained: ReadonlyMap<number, number>,
  limit: number,
  onto: Onto = 'minmax',
): Ranking {
  const scores = new Map<number, number>()
  const before = onto === 'raw' ? ranking.scores : normalize(ranking, 'minmax')
  before.forEach((score, i) => {
    scores.set(ranking.rows[i], score)
  })
  const best = rankPairs([...gained.keys()], [...gained.values()], limit)
  best.rows.forEach((row, i) => {
    scores.set(row, (scores.get(row) ?? 0) + best.scores[i])
  })
  return rankPairs([...scores.keys()], [...scores.values()], scores.size)
}

const kinds = z.array(z.string().min(1)).min(1).optional()

/**
 * Moves chunks up, or in, that lie near the best ones in a graph:
 *
 *     minmax(score) + sum over the `top` best chunks of boost * decay ^ (d - 1), d <= hops
 *
 * where d is the chunk's distance from it. The seed document adds to the score as it is (`onto: raw`), so that the same boost
 * weighs more or less with the scale of the search before it.
 */
export const graphBoost = defineRankingTransform({
  kind: 'ranking',
  name: 'graph-boost',
  summary: 'moves up chunks that are near the best ones in a graph',
  source: 'seed document 000, Graph Boost',
  params: z.strictObject({
    over: z
      .enum(NEIGHBORS)
      .optional()
      .describe(
        'neighbours are chunks of related entities, with a shared entity, or that mention titles, or with near vectors; relationships where `prepare.graph` has structure, else entities',
      ),
    top: z.int().min(1).max(1000).default(3).describe('how many of the best chunks to start from'),
    hops: z.int().min(1).max(10).default(2).describe('how many hops to go from them'),
    limit: z.int().min(1).max(10_000).default(50).describe('how many chunks get a boost at most'),
    decay: z.number().min(0).max(1).default(0.4).describe('factor of the boost for each further hop'),
    boost: z.number().min(0).max(100).default(0.05).describe('the boost at one hop'),
    relations: kinds.describe(
      'relationships of these kinds alone, as [contains, references]; all if left out',
    ),
    without: kinds.describe('relationships of these kinds are left out, as [next]'),
    threshold: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe(
        `of \`over: similar\`: the cosine from which on two chunks are neighbours; ${SIMILAR.threshold} if left out`,
      ),
    most: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        `of \`over: similar\`: how many neighbours a chunk chooses at most, the nearest; ${SIMILAR.most} if left out`,
      ),
    onto: z
      .enum(ONTO)
      .optional()
      .describe('scores on one scale from 0 to 1 (minmax, if left out), or as they are (raw)'),
  }),
  apply({ ranking, params: { over, ...rest } }) {
    const structured = ranking.recipe.graph?.some(({ name }) => name === 'structure')
    const typed = rest.relations !== undefined || rest.without !== undefined
    const neighbors = over ?? (structured || typed ? 'relationships' : 'entities')
    if ((rest.threshold !== undefined || rest.most !== undefined) && neighbors !== 'similar')
      throw new UserError(`\`threshold\` and \`most\` are of \`over: similar\`, not of ${neighbors}`)
    if (typed && neighbors !== 'relationships')
      throw new UserError(`\`relations\` and \`without\` choose among relationships, not among ${neighbors}`)
    return boostNeighbors([ranking], { over: neighbors, ...rest })
  },
})

function needs(recipe: Recipe, { over, ...options }: Params) {
  return { neighbors: chunkNeighbors(recipe, over, options) }
}
