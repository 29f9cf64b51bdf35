import { z } from 'zod'
import {
  askedRelations,
  chunkNeighbors,
  NEIGHBORS,
  type NeighborOptions,
  SIMILAR,
} from '../../corpus/graph/chunk-neighbors.ts'
import { gains, meanNeighbors } from '../../corpus/graph/neighbors.ts'
import { UserError } from '../../errors.ts'
import type { Mask } from '../../ranking/mask.ts'
import { normalize } from '../../ranking/normalize.ts'
import { rankMap, rankPairs } from '../../ranking/order.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { count, share, weight } from '../steps/params.ts'
import { defineRankingTransform } from './index.ts'

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

interface Reached {
  readonly best: Ranking
  /** Mean number of neighbours of a start. */
  readonly neighbors: number
  /** Number of chunks within `hops` of a start. */
  readonly reached: number
  /** Number of chunks with the gain of the last one that counts, if not all of them count. */
  readonly tied: number
}

const reachNeighbors = defineStep({
  name: 'graph-reach',
  within: true,
  artifacts: (recipe, { over, ...options }: Params) => ({ neighbors: chunkNeighbors(recipe, over, options) }),
  requires: askedRelations,
  facts: ({ neighbors, reached, tied }: Reached) => ({ counts: { neighbors, reached, tiedAtLimit: tied } }),
  run([ranking, mask]: [Ranking, Mask?], { params, artifacts: { neighbors } }): Reached {
    const starts = ranking.rows.subarray(0, params.top)
    const gained = gains(neighbors, starts, params)
    if (mask) for (const row of gained.keys()) if (mask.kept[row] === 0) gained.delete(row)
    return { ...greatest(gained, params.limit), neighbors: meanNeighbors(neighbors, starts) }
  },
})

const boostNeighbors = defineStep<Pick<Params, 'onto'>, [Ranking, Reached], Ranking>({
  name: 'graph-boost',
  version: 2,
  yields: 'ranking',
  base: ([ranking], { onto }) => ({ rows: ranking.rows, scores: scaled(ranking, onto) }),
  run: ([ranking, { best }], { params }) => boosted(ranking, best, params.onto),
})

/** The `limit` greatest gains; equal ones: the higher row. */
export function greatest(gained: ReadonlyMap<number, number>, limit: number): Omit<Reached, 'neighbors'> {
  const amounts = [...gained.values()]
  const best = rankPairs([...gained.keys()], amounts, limit)
  const last = best.scores[limit - 1]
  const tied = amounts.filter((amount) => amount === last).length
  const chosen = best.scores.filter((amount) => amount === last).length
  return { best, reached: gained.size, tied: tied > chosen ? tied : 0 }
}

function scaled(ranking: Ranking, onto: Onto = 'minmax'): Float64Array {
  return onto === 'raw' ? ranking.scores : normalize(ranking, 'minmax')
}

/** Scores, by default min-max ones, plus gains. A chunk that was not in the ranking begins at 0. */
export function boosted(ranking: Ranking, gained: Ranking, onto?: Onto): Ranking {
  const scores = new Map<number, number>()
  scaled(ranking, onto).forEach((score, i) => {
    scores.set(ranking.rows[i], score)
  })
  gained.rows.forEach((row, i) => {
    scores.set(row, (scores.get(row) ?? 0) + gained.scores[i])
  })
  return rankMap(scores)
}

const kinds = z.array(z.string().min(1)).min(1).optional()

/**
 * minmax(score) + sum over the `top` best chunks of boost * decay ^ (d - 1), d <= hops the distance from it. Counters:
 * `neighbors`, the mean number of neighbours of the best chunks; `reached`, the chunks within `hops`; `tiedAtLimit`, the
 * chunks that share the last gain that counts if only some of them do.
 */
export default defineRankingTransform({
  name: 'graph-boost',
  summary: 'raises chunks that are near the best ones in a graph',
  source: 'seed document 000, Graph Boost',
  params: z.strictObject({
    over: z
      .enum(NEIGHBORS)
      .optional()
      .describe(
        'neighbours: chunks of related entities, with a shared entity, that mention titles, or with similar vectors; default: relationships if `prepare.graph` has structure, else entities',
      ),
    top: count(3, 'number of best chunks where the walk starts'),
    hops: count(2, 'maximum hops from these', 10),
    limit: count(50, 'maximum number of boosted chunks', 10_000),
    decay: share(0.4, 'factor of the boost for each further hop'),
    boost: weight(0.05, 'the boost at one hop', 100),
    relations: kinds.describe('only relationships of these kinds, as [contains, references]; default: all'),
    without: kinds.describe('ignore relationships of these kinds, as [next]'),
    threshold: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe(`minimum cosine of neighbours, with \`over: similar\`; default: ${SIMILAR.threshold}`),
    most: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        `maximum number of nearest neighbours of a chunk, with \`over: similar\`; default: ${SIMILAR.most}`,
      ),
    onto: z
      .enum(ONTO)
      .optional()
      .describe('scores scaled from 0 to 1 (minmax, the default), or unchanged (raw)'),
  }),
  make: ({ over, onto, ...walk }) => ({
    rank(ranking) {
      const structured = ranking.recipe.graph?.some(({ name }) => name === 'structure')
      const typed = walk.relations !== undefined || walk.without !== undefined
      const neighbors = over ?? (structured || typed ? 'relationships' : 'entities')
      if ((walk.threshold !== undefined || walk.most !== undefined) && neighbors !== 'similar')
        throw new UserError(`\`threshold\` and \`most\` are of \`over: similar\`, not of ${neighbors}`)
      if (typed && neighbors !== 'relationships')
        throw new UserError(
          `\`relations\` and \`without\` choose among relationships, not among ${neighbors}`,
        )
      return boostNeighbors([ranking, reachNeighbors([ranking], { over: neighbors, ...walk })], { onto })
    },
  }),
})
