import type { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { Definition } from '../../registry.ts'
import type { Evidence, Query, Ranking } from '../../types.ts'
import type { Expression } from '../step.ts'

/**
 * A strategy is a definition: its params, and an expression over steps that says how a query becomes a ranking of
 * chunks. `retrieve` runs once a trial and computes nothing; the executor evaluates what it returns, for all queries,
 * sharing equal steps between trials. What a strategy reads is what its steps read.
 */
export interface Strategy<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  /** Publication or document that describes the algorithm. */
  readonly source: string
  retrieve(input: RetrieveInput<z.output<S>>): StrategyOutput
}

interface RetrieveInput<P> {
  readonly query: Expression<Query>
  readonly params: P
  /** Output of another trial of the same config, by its name, for strategies that wrap others. Throws a UserError if there is none. */
  readonly inner: Inner
}

export type Inner = (trial: string, query: Expression<Query>) => StrategyOutput

/** `Inner` without other trials, for a strategy by itself. */
export const alone: Inner = (trial) => {
  throw new UserError(`there is no trial ${trial} besides this strategy`)
}

export interface StrategyOutput {
  readonly ranking: Expression<Ranking>
  /** Entity, relationship and report texts that ride along. */
  readonly evidence?: Expression<readonly Evidence[]>
  /** True if an answer gets the whole ranking uncut, not its first chunks alone. */
  readonly sendsAll?: boolean
}

/** Infers the types of a strategy's definition. */
export function defineStrategy<S extends z.ZodObject>(strategy: Strategy<S>): Strategy<S> {
  return strategy
}
