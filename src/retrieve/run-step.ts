import { OutOfTime } from '../custom/guard.ts'
import { UserError } from '../errors.ts'
import { BadCompletion } from '../models/chat/json.ts'
import { formProblem } from '../ranking/check.ts'
import { Stopped } from '../stopping.ts'
import type { Json, Query } from '../types.ts'
import type { AnyStep } from './step.ts'

export interface Failure {
  readonly step: string
  readonly message: string
}

export type StepOutcome =
  | { readonly value: unknown }
  | {
      readonly failure: Failure
      /** Counters of the work before the failure, such as model calls. */
      readonly counts?: Readonly<Record<string, number>>
    }

interface Context {
  readonly params: Json
  readonly artifacts: Readonly<Record<string, unknown>>
}

/**
 * Runs a step on the inputs of a block of queries, at once if it can. A query on which it throws fails alone. Throws
 * UserErrors on.
 */
export async function runStep(
  step: AnyStep,
  context: Context,
  block: readonly (readonly unknown[])[],
  ids: readonly string[],
  pause?: () => Promise<void>,
): Promise<StepOutcome[]> {
  const runOne = async (inputs: readonly unknown[], index: number): Promise<StepOutcome> => {
    const outcome = await forOneQuery(async () =>
      step.run ? await step.run(inputs, context) : (await step.runBlock?.([inputs], context))?.[0],
    ).catch((error: unknown) => {
      throw error instanceof OutOfTime ? error.onQuery(ids[index]) : error
    })
    if ('value' in outcome) return outcome
    const { error } = outcome
    const counts = error instanceof BadCompletion ? error.counts : undefined
    return { failure: { step: step.name, message: messageOf(error) }, ...(counts && { counts }) }
  }
  const oneByOne = async () => {
    const outcomes: StepOutcome[] = []
    for (const [index, inputs] of block.entries()) {
      await pause?.()
      outcomes.push(await runOne(inputs, index))
    }
    return outcomes
  }
  if (!step.runBlock) return oneByOne()
  await pause?.()
  try {
    const values = await step.runBlock(block, context)
    // Completions cannot be assigned to queries: asked one by one, each query gets its own.
    if (values?.length !== block.length) return await oneByOne()
    return Array.from(values, (value) => ({ value }))
  } catch (error) {
    if (error instanceof UserError && !(error instanceof OutOfTime)) throw error
    // One query's failure must not take its block with it: find out which one it is.
    return oneByOne()
  }
}

/** Error in a custom step's output, which may not be of the declared kind; null if it is valid. */
export function wrongOutput({ yields, channel }: AnyStep, value: unknown): string | null {
  if (yields === 'query')
    return typeof (value as Partial<Query> | null | undefined)?.text === 'string'
      ? null
      : 'gave no query: a query is {id, text, metadata}'
  return yields === 'ranking' || channel ? formProblem(value) : null
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The value, or an error of this query alone. UserErrors and stops are thrown. */
export async function forOneQuery<T>(
  run: () => T | Promise<T>,
): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await run() }
  } catch (error) {
    if (error instanceof UserError || error instanceof Stopped) throw error
    return { error }
  }
}
