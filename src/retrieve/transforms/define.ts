import type { z } from 'zod'
import type { Definition } from '../../registry.ts'
import type { Query, Ranking } from '../../types.ts'
import type { Expression } from '../step.ts'

/** A change to the query before a strategy (rewrite, expand) or to the ranking after it (boost, filter, rerank, cut). */
export type Transform = QueryTransform | RankingTransform

export interface QueryTransform<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  readonly kind: 'query'
  readonly source: string
  apply(input: { query: Expression<Query>; params: z.output<S> }): Expression<Query>
}

export interface RankingTransform<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  readonly kind: 'ranking'
  readonly source: string
  apply(input: {
    ranking: Expression<Ranking>
    query: Expression<Query>
    params: z.output<S>
  }): Expression<Ranking>
}

export function defineQueryTransform<S extends z.ZodObject>(transform: QueryTransform<S>): QueryTransform<S> {
  return transform
}

export function defineRankingTransform<S extends z.ZodObject>(
  transform: RankingTransform<S>,
): RankingTransform<S> {
  return transform
}
