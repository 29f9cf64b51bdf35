import type { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { Evidence, Query, Ranking } from '../../types.ts'
import type { Expression } from '../step.ts'

/**
 * A strategy is a definition: its params, and an expression over steps that says how a query becomes a ranking of
 * chunks. `retrieve` runs once a trial and computes nothing; the executor evaluates what it returns, for all queries,
 * sharing equal steps between trials. What a strategy reads is what its steps read.
 */
export interface Strategy<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /** One line, for `touchstone list` and the docs. */
  readonly summary: string
  /** Publication or document that describes the algorithm. */
  readonly source: string
  readonly params: S
  /** Ties params to the content of the files that they name, as Definition's. */
  pin?(params: z.output<S>): z.output<S>
  /** SHA-256 of each file that the params name, so that trials differ by content. Throws a UserError if a file is missing. */
  files?(params: z.output<S>): Readonly<Record<string, string>>
  retrieve(input: RetrieveInput<z.output<S>>): StrategyOutput
}

export interface RetrieveInput<P> {
  readonly query: Expression<Query>
  readonly params: P
  /** Output of another trial of the same config, by its name, for strategies that wrap others. Throws a UserError if there is none. */
  readonly inner: Inner
}

export type Inner = (trial: string, query: Expression<Query>) => StrategyOutput

/** `Inner` without other trials, for a strategy by itself. */
export const alone: Inner = (trial) => {
  throw new UserError(`there is no trial ${trial} beside this strategy`)
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
