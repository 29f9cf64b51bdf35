import { z } from 'zod'
import { SIMILAR } from '../../corpus/dense/similar-chunks.ts'
import {
  askedRelations,
  chunkNeighbors,
  NEIGHBORS,
  type NeighborOptions,
} from '../../corpus/graph/chunk-neighbors.ts'
import { gains, meanNeighbors } from '../../corpus/graph/neighbors.ts'
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

/** Chunks near the best ones with their gains; the greatest gain of a chunk counts. */
interface Reached {
  readonly best: Ranking
  /** Mean number of neighbours of a start. */
  readonly neighbors: number
  /** Number of chunks within `hops` of a start. */
  readonly reached: number
  /** Number of chunks with the gain of the last one that counts, if not all of them count. */
  readonly tied: number
}

const reachNeighbors = defineStep<Params, [Ranking, Mask?], ReturnType<typeof needs>, Reached>({
  name: 'graph-reach',
  version: 1,
  within: true,
  artifacts: needs,
  requires: askedRelations,
  counts: ({ neighbors, reached, tied }) => ({ neighbors, reached, tiedAtLimit: tied }),
  run([ranking, mask], { params, artifacts: { neighbors } }) {
    const starts = ranking.rows.subarray(0, params.top)
    const gained = gains(neighbors, starts, params)
    if (mask) for (const row of gained.keys()) if (mask.kept[row] === 0) gained.delete(row)
    return { ...greatest(gained, params.limit), neighbors: meanNeighbors(neighbors, starts) }
  },
})

const boostNeighbors = defineStep<Pick<Params, 'onto'>, [Ranking, Reached], Record<never, never>, Ranking>({
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

/** Scores to which boosts are added. */
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
 *
 * Counters: `neighbors` is the mean number of neighbours of the best chunks, `reached` the number of chunks within `hops`,
 * `tiedAtLimit` the number of chunks that share the last gain that counts, if only some of them count.
 */
export const graphBoost = defineRankingTransform({
  kind: 'ranking',
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
    top: z.int().min(1).max(1000).default(3).describe('number of best chunks where the walk starts'),
    hops: z.int().min(1).max(10).default(2).describe('maximum hops from these'),
    limit: z.int().min(1).max(10_000).default(50).describe('maximum number of boosted chunks'),
    decay: z.number().min(0).max(1).default(0.4).describe('factor of the boost for each further hop'),
    boost: z.number().min(0).max(100).default(0.05).describe('the boost at one hop'),
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
  apply({ ranking, params: { over, ...rest } }) {
    const structured = ranking.recipe.graph?.some(({ name }) => name === 'structure')
    const typed = rest.relations !== undefined || rest.without !== undefined
    const neighbors = over ?? (structured || typed ? 'relationships' : 'entities')
    if ((rest.threshold !== undefined || rest.most !== undefined) && neighbors !== 'similar')
      throw new UserError(`\`threshold\` and \`most\` are of \`over: similar\`, not of ${neighbors}`)
    if (typed && neighbors !== 'relationships')
      throw new UserError(`\`relations\` and \`without\` choose among relationships, not among ${neighbors}`)
    const { onto, ...walk } = rest
    return boostNeighbors([ranking, reachNeighbors([ranking], { over: neighbors, ...walk })], { onto })
  },
})

function needs(recipe: Recipe, { over, ...options }: Params) {
  return { neighbors: chunkNeighbors(recipe, over, options) }
}
