import type { z } from 'zod'
import type { Expression } from '../steps/step.ts'
import type { Evidence, Query, Ranking } from '../types.ts'

/**
 * A strategy is a definition: its params, and an expression over steps that says how a query becomes a ranking of
 * chunks. `retrieve` runs once a trial and computes nothing; the executor evaluates what it returns, for all queries,
 * sharing equal steps between trials. What a strategy reads is what its steps read.
 */
export interface Strategy<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /** One line, for `touchstone list` and the docs. */
  readonly summary: string
  /** Where the algorithm is described. */
  readonly source: string
  readonly params: S
  retrieve(input: { query: Expression<Query>; params: z.output<S> }): Retrieved
}

export interface Retrieved {
  readonly ranking: Expression<Ranking>
  /** Entity, relationship and report texts that ride along. */
  readonly evidence?: Expression<readonly Evidence[]>
}

/** Gives a strategy's definition its types. */
export function defineStrategy<S extends z.ZodObject>(strategy: Strategy<S>): Strategy<S> {
  return strategy
}
