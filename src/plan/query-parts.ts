import type { Tuning } from '../config/experiment.ts'
import { makeFolds, makeSplit } from '../statistics/folds.ts'
import type { JudgedQuery } from '../types.ts'

/** Each query's fold, or 0 for dev and 1 for test. */
export function partsOf(
  queries: readonly JudgedQuery[],
  tuning: Exclude<Tuning, { readonly kind: 'none' }>,
): Uint8Array {
  const divided = {
    ids: queries.map(({ id }) => id),
    categories: queries.map(({ category }) => category),
    seed: tuning.seed,
  }
  return tuning.kind === 'folds'
    ? makeFolds({ ...divided, folds: tuning.folds })
    : makeSplit({ ...divided, dev: tuning.dev })
}
