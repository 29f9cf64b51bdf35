import type { Tuning } from '../../config/experiment.ts'
import type { Clusters } from '../../statistics/clusters.ts'
import { makeFolds, makeSplit } from '../../statistics/folds.ts'
import type { JudgedQuery } from '../../types.ts'

/** Fold of each query, or 0 for dev and 1 for test. Clusters stay together. */
export function queryPartNames(
  queries: readonly JudgedQuery[],
  tuning: Exclude<Tuning, { readonly kind: 'none' }>,
  clusters?: Clusters,
): Uint8Array {
  const divided = {
    ids: queries.map(({ id }) => id),
    categories: queries.map(({ category }) => category),
    seed: tuning.seed,
    clusters,
  }
  return tuning.kind === 'folds'
    ? makeFolds({ ...divided, folds: tuning.folds })
    : makeSplit({ ...divided, dev: tuning.dev })
}
