import { type Expression, expressionsOf, isSource } from '../retrieve/step.ts'
import { type ForeseenModel, openForecast, UNASKED } from './forecast.ts'
import type { Ledger } from './ledger.ts'
import type { OpenExperiment } from './open.ts'
import { askingsOf, walkAskings } from './walk-askings.ts'

export interface ForeseenAskings {
  readonly models: readonly ForeseenModel[]
  /** Steps of which more is asked than can be told now: what they read is answered or prepared first. */
  readonly open: readonly {
    readonly step: string
    readonly queries: number
    readonly after: 'answers' | 'prepare'
  }[]
}

interface Options {
  readonly clock: () => number
  /** Counts the answers that are there. */
  readonly ledger?: Ledger
  /** Whether only what is prepared may be read, and nothing be embedded. */
  readonly preparedOnly: boolean
}

/**
 * What a run would still ask, without asking it: the steps that ask are run on the answers that are kept. A step counts
 * as asking once where its question is not answered; what it would ask by the answer, and what reads it, is not known yet.
 */
export async function foreseeAskings(
  open: OpenExperiment,
  { clock, ledger, preparedOnly }: Options,
): Promise<ForeseenAskings> {
  const forecast = openForecast(ledger)
  const unknown = new Map<string, { step: string; after: 'answers' | 'prepare'; queries: Set<number> }>()

  function noteOpen(
    { key, step }: Expression<unknown>,
    indexes: Iterable<number>,
    after: 'answers' | 'prepare',
  ) {
    const row = unknown.get(key) ?? { step: step.name, after, queries: new Set() }
    unknown.set(key, row)
    for (const index of indexes) row.queries.add(index)
  }

  const unprepared = (expression: Expression<unknown>) =>
    expressionsOf([expression]).some(
      ({ artifacts, step, recipe, params, inputs }) =>
        open.store.missing(Object.values(artifacts)).length > 0 ||
        (step.embeds?.(recipe, params) !== undefined && !isSource(inputs[0])),
    )
  const skips = preparedOnly ? unprepared : () => false
  const { asked, memo } = await walkAskings(open, {
    ...{ wrap: forecast.wrap, clock, skips },
    undecided(inputs, indexes) {
      if (indexes.length === 0) return
      for (const expression of expressionsOf(inputs))
        if (expression.step.asks) noteOpen(expression, indexes, 'answers')
    },
  })
  for (const expression of askingsOf(open).asking) {
    const indexes = [...(asked.get(expression.key) ?? [])]
    if (skips(expression)) noteOpen(expression, indexes, 'prepare')
    else
      for (const index of indexes)
        if (expression.inputs.some((input) => memo.cell(input, index)?.failure?.message === UNASKED))
          noteOpen(expression, [index], 'answers')
  }
  return {
    models: forecast.models(),
    open: [...unknown.values()]
      .filter(({ queries }) => queries.size > 0)
      .map(({ step, after, queries }) => ({ step, after, queries: queries.size })),
  }
}
