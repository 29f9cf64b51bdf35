import type { Recipe } from '../corpus/recipe.ts'
import { UserError } from '../errors.ts'
import { head } from '../ranking/order.ts'
import { defineStep, type Expression } from '../retrieve/step.ts'
import { searchDense } from '../retrieve/steps/search.ts'
import type { Ranking } from '../types.ts'

/** Throws a UserError if the config indexes parts of chunks: engines store whole chunks, under their own rows. */
export function requireWhole(recipe: Recipe, engine: string): void {
  if (recipe.index)
    throw new UserError(`${engine} searches chunks whole; leave out \`prepare.index\`, or name another trial`)
}

/** True for the vector of a text without any content, which finds nothing. */
export const isZero = (vector: Float32Array) => vector.every((value) => value === 0)

/** Cutoff at which an engine's ranking is compared with the exact one. */
const COMPARED = 10

type Compared = Ranking & { readonly share: number }

/** Returns the engine's ranking and counts the share of the exact first 10 among its first 10. */
const compareWithExact = defineStep<null, [Ranking, Ranking], Record<never, never>, Compared>({
  name: 'compare-with-exact',
  version: 1,
  yields: 'ranking',
  counts: ({ share }) => ({ [`share of the exact first ${COMPARED}`]: share }),
  run([found, exact]) {
    const wanted = head(exact, COMPARED).rows
    const first = new Set(head(found, COMPARED).rows)
    const share = wanted.length === 0 ? 1 : wanted.filter((row) => first.has(row)).length / wanted.length
    return { ...found, share }
  },
})

/** The engine's ranking, compared with the exact search if `against` is set. */
export function comparedWithExact(
  found: Expression<Ranking>,
  vector: Expression<Float32Array>,
  against: boolean,
): Expression<Ranking> {
  return against ? compareWithExact([found, searchDense([vector], { depth: COMPARED })], null) : found
}
