import { type Expression, expressionsOf, isSource } from '../../retrieve/step.ts'
import { estimateArtifacts, nameInConfig, waitsForVectors } from './ask-artifacts.ts'
import { type ModelEstimate, openForecast, UNASKED } from './forecast.ts'
import type { OpenExperiment } from './open.ts'
import type { Spending } from './spending.ts'
import { requestsOf, walkRequests } from './walk-requests.ts'

export interface RequestsEstimate {
  readonly models: readonly ModelEstimate[]
  /** Parts whose requests cannot be estimated yet; `queries` is null for parts of the corpus. */
  readonly open: readonly { readonly step: string; readonly queries: number | null; readonly after: After }[]
}

/** Prerequisite of an estimate: other completions, preparing, or embedding rewritten queries. */
type After = 'answers' | 'prepare' | 'embed'

interface Options {
  readonly clock: () => number
  /** Counts the answers that are there. */
  readonly spending?: Spending
  /** True if the estimate may read prepared artifacts only, and embed nothing. */
  readonly preparedOnly: boolean
}

/**
 * Estimates the model calls a run still needs, by replaying it against stored completions. A step without a
 * completion counts as one request; requests that depend on that completion are not known yet.
 */
export async function estimateRequests(
  open: OpenExperiment,
  { clock, spending, preparedOnly }: Options,
): Promise<RequestsEstimate> {
  const forecast = openForecast(spending)
  const lacking = await estimateArtifacts(open, forecast)
  const unknown = new Map<string, { step: string; after: After; queries: Set<number> }>()

  function noteOpen({ key, step }: Expression<unknown>, indexes: Iterable<number>, after: After) {
    const row = unknown.get(key) ?? { step: step.name, after, queries: new Set() }
    unknown.set(key, row)
    for (const index of indexes) row.queries.add(index)
  }

  /** Prerequisite of computing `expression`; undefined if it can be computed. */
  const waitsFor = (expression: Expression<unknown>): After | undefined => {
    if (!preparedOnly) return undefined
    const below = expressionsOf([expression])
    if (below.some(({ artifacts }) => open.store.missing(Object.values(artifacts)).length > 0))
      return 'prepare'
    const embeds = ({ step, recipe, params, inputs }: Expression<unknown>) =>
      step.embeds?.(recipe, params) !== undefined && !isSource(inputs[0])
    return below.some(embeds) ? 'embed' : undefined
  }
  const undecided: (readonly [Expression<unknown>, readonly number[]])[] = []
  const { asked, memo } = await walkRequests(open, {
    ...{ wrap: forecast.wrap, clock, skips: (expression) => waitsFor(expression) !== undefined },
    undecided(inputs, indexes) {
      for (const expression of expressionsOf(inputs))
        if (expression.step.asks) undecided.push([expression, indexes])
    },
  })
  for (const [expression, indexes] of undecided)
    noteOpen(
      expression,
      indexes.filter((index) => !asked.get(expression.key)?.has(index)),
      'answers',
    )
  for (const expression of requestsOf(open).requests) {
    const indexes = [...(asked.get(expression.key) ?? [])]
    const after = waitsFor(expression)
    if (after) noteOpen(expression, indexes, after)
    else
      for (const index of indexes)
        if (expression.inputs.some((input) => memo.cell(input, index)?.failure?.message === UNASKED))
          noteOpen(expression, [index], 'answers')
  }
  return {
    models: forecast.models(),
    open: [
      ...lacking.map((artifact) => ({
        step: nameInConfig(artifact),
        after: waitsForVectors(open.store, artifact) ? ('prepare' as const) : ('answers' as const),
        queries: null,
      })),
      ...[...unknown.values()]
        .filter(({ queries }) => queries.size > 0)
        .map(({ step, after, queries }) => ({ step, after, queries: queries.size })),
    ],
  }
}
