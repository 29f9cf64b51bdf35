import type { Evidence, Query, Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { armsOf, type Route, type Rules, routeByRules } from './rules.ts'

type Chosen = Route & { readonly index: number }

/** The arm for a query. */
export const routeQuery = defineStep<Rules, [Query, (readonly string[])?], Record<never, never>, Chosen>({
  name: 'route',
  version: 2,
  arms: { all: armsOf, chosen: ({ arm }) => arm },
  run([{ text }, names], { params }) {
    const chosen = routeByRules(text, params, names)
    return { ...chosen, index: armsOf(params).indexOf(chosen.arm) }
  },
})

/** The chosen arm's ranking; only that one is computed. Arms stand in the order of `armsOf`. */
export const chooseRanking = defineStep<null, [Chosen, ...Ranking[]], Record<never, never>, Ranking>({
  name: 'choose',
  version: 1,
  yields: 'ranking',
  pick: ({ index }) => index,
})

/** The chosen arm's evidence. */
export const chooseEvidence = defineStep<
  null,
  [Chosen, ...(readonly Evidence[])[]],
  Record<never, never>,
  readonly Evidence[]
>({
  name: 'choose-evidence',
  version: 1,
  pick: ({ index }) => index,
})

const noEvidence = defineStep<null, [Query], Record<never, never>, readonly Evidence[]>({
  name: 'no-evidence',
  version: 1,
  run: () => [],
})

/** An arm's evidence, or none. */
export function evidenceOr(
  evidence: Expression<readonly Evidence[]> | undefined,
  query: Expression<Query>,
): Expression<readonly Evidence[]> {
  return evidence ?? noEvidence([query], null)
}
