import { type Aligned, align, complete, type Fusion, fuse } from '../../ranking/fuse.ts'
import { append, EMPTY_RANKING } from '../../ranking/order.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'

/** One list to be fused; `floor` is the lowest score its search could give, for `tmm`. */
export interface FusedSide {
  readonly ranking: Expression<Ranking>
  readonly weight: number
  readonly floor?: number
  /** Scores of the same search for each row of a union; NaN for a row that it does not find. The norm `corpus` needs them. */
  readonly scores?: (union: Expression<Aligned>) => Expression<Float64Array>
}

const alignRankings = defineStep<null, readonly Ranking[], Aligned>({
  name: 'align',
  run: (rankings) => align(rankings),
})

const completeAligned = defineStep<null, readonly [Aligned, ...Float64Array[]], Aligned>({
  name: 'complete',
  run: ([aligned, ...scores]) => complete(aligned, scores),
})

type Params = Fusion & { readonly weights: readonly number[]; readonly floors?: readonly number[] }

const fuseAligned = defineStep<Params, [Aligned], Ranking>({
  name: 'fuse',
  version: 2,
  yields: 'ranking',
  // A block, since a large grid fuses a million times: what is alike for all queries is read once.
  runBlock(block, { params: { weights, floors, ...how } }) {
    const sides = weights.map((weight, i) => ({ weight, floor: floors?.[i] }))
    return block.map(([aligned]) => fuse(aligned, sides, how))
  },
})

/**
 * Fusion of rankings. A side with weight 0 is not read; a single side stays as it is. With the norm `corpus` every side
 * scores all listed chunks, so a chunk loses nothing for being one rank behind the pool.
 */
export function fuseSides(sides: readonly FusedSide[], how: Fusion): Expression<Ranking> {
  const read = sides.filter(({ weight }) => weight !== 0)
  if (read.length === 0) throw new Error('a fusion needs a side with a weight')
  if (read.length === 1) return read[0].ranking
  const weighs = how.fusion === 'rrf' || how.fusion === 'weighted'
  const norm = how.fusion === 'rrf' ? undefined : how.norm
  const aligned = alignRankings(read.map(({ ranking }) => ranking))
  return fuseAligned([norm === 'corpus' ? completed(aligned, read) : aligned], {
    ...how,
    weights: read.map(({ weight }) => (weighs ? weight : 1)),
    floors: norm === 'tmm' ? read.map(({ floor = 0 }) => floor) : undefined,
  })
}

/** Rankings of one weight, fused by rank with the paper's constant: sum of 1 / (60 + rank). */
export function fuseRanks(rankings: readonly Expression<Ranking>[]): Expression<Ranking> {
  const sides = rankings.map((ranking) => ({ ranking, weight: 1 }))
  return fuseSides(sides, { fusion: 'rrf', rrfK: 60 })
}

function completed(aligned: Expression<Aligned>, sides: readonly FusedSide[]): Expression<Aligned> {
  const scores = sides.map(({ scores }) => {
    if (!scores)
      throw new Error('with the norm `corpus` each side needs `scores`: what its search scores any row')
    return scores(aligned)
  })
  return completeAligned([aligned, ...scores])
}

export const appendRanking = defineStep<{ readonly depth: number }, [Ranking, Ranking], Ranking>({
  name: 'append',
  yields: 'ranking',
  run: ([first, tail], { params }) => append(first, tail, params.depth),
})

const choose = defineStep<{ when: string }, [Ranking, Ranking, Ranking], Ranking>({
  name: 'fallback',
  version: 2,
  yields: 'ranking',
  pick: (first) => (first.rows.length > 0 ? 0 : 1),
  pickFellBack: (arm, { when }) => (arm === 1 ? when : null),
})

/** `first` if it has results, else `second`, counted as `fallbacks`. `when` is the reason. */
export function fallback(
  first: Expression<Ranking>,
  second: Expression<Ranking>,
  when: string,
): Expression<Ranking> {
  return choose([first, first, second], { when })
}

/** `ranking` if anything is linked, even if it is empty; else `second`, counted as `fallbacks`. */
export function fallbackUnlinked(
  linked: Expression<Ranking>,
  ranking: Expression<Ranking>,
  second: Expression<Ranking>,
  when: string,
): Expression<Ranking> {
  return choose([linked, ranking, second], { when })
}

/** Query at `index`; the question itself if there are fewer. */
export const queryAt = defineStep<{ readonly index: number }, [Query, readonly string[]], Query>({
  name: 'query-at',
  yields: 'query',
  run: ([query, queries], { params: { index } }) =>
    queries[index] === undefined ? query : { id: query.id, text: queries[index], metadata: query.metadata },
})

/** Ranking of the query at `index`; the second input, an empty ranking, if there are fewer. */
export const rankingAt = defineStep<
  { readonly index: number },
  [readonly string[], Ranking, Ranking],
  Ranking
>({
  name: 'ranking-at',
  yields: 'ranking',
  pick: (queries, { index }) => (queries[index] === undefined ? 1 : 0),
})

export const noRanking = defineStep<null, [unknown], Ranking>({
  name: 'no-ranking',
  run: () => EMPTY_RANKING,
})
