import { join } from 'node:path'
import { makeFolds, makeSplit } from '../statistics/folds.ts'
import { readColumns } from './columns.ts'
import { readScores } from './matrices.ts'
import type { Summary, TunedSummary } from './summary.ts'

/**
 * The values by query of an experiment's rows: by a trial's id or `tuned:<strategy>`, and measure; NaN where a query does
 * not count. Undefined where there is no such row.
 */
export type RowValues = (id: string, measure: string) => Float64Array | undefined

/** Reads the row values of a finished experiment. */
export async function readRowValues(folder: string, summary: Summary): Promise<RowValues> {
  const { id, category } = await readDivided(folder)
  const queries = id.length
  const { measures, trials, tuned } = summary
  const scores = await readScores(join(folder, 'scores.parquet'), measures, trials.length, queries)
  const indexOf = new Map(trials.map((trial, index) => [trial.id, index]))
  const picks = new Map(tuned.map((row) => [row.id, pickedBy(row, summary, id, category)]))
  return (row, measure) => {
    const matrix = scores.get(measure)
    const index = indexOf.get(row)
    if (matrix && index !== undefined) return matrix.subarray(index * queries, (index + 1) * queries)
    const picked = picks.get(row)
    if (!matrix || !picked) return undefined
    return Float64Array.from(picked, (trial, query) =>
      trial === null ? Number.NaN : matrix[(indexOf.get(trial) ?? Number.NaN) * queries + query],
    )
  }
}

/** Each query's fold; null without folds. */
export async function readFolds(folder: string, summary: Summary): Promise<Uint8Array | null> {
  const { tuning } = summary
  if (tuning.kind !== 'folds') return null
  const { id, category } = await readDivided(folder)
  const clusters = await readQueryClusters(folder, summary)
  return makeFolds({ ids: id, categories: category, seed: tuning.seed, folds: tuning.folds, clusters })
}

/** The cluster of each query; undefined where the experiment did not compare by cluster. */
export async function readQueryClusters(
  folder: string,
  { cluster }: Pick<Summary, 'cluster'>,
): Promise<Int32Array | undefined> {
  if (cluster === undefined) return undefined
  return (await readColumns(join(folder, 'queries.parquet'), { cluster: 'integer' })).cluster
}

function readDivided(folder: string) {
  return readColumns(join(folder, 'queries.parquet'), { id: 'texts', category: 'texts' })
}

/** Trial that represents a tuned row on each query: selected for it, or on the other folds; null on a split's dev queries. */
export function pickedBy(
  { chosen, picked }: TunedSummary,
  { tuning, trials }: Summary,
  ids: readonly string[],
  categories: readonly string[],
): (string | null)[] {
  if (picked) return picked.map((trial) => (trial === null ? null : trials[trial].id))
  if (tuning.kind === 'none') return ids.map(() => null)
  const divided = { ids, categories, seed: tuning.seed }
  if (tuning.kind === 'split')
    return [...makeSplit({ ...divided, dev: tuning.dev })].map((part) => (part === 1 ? chosen[0] : null))
  const parts = makeFolds({ ...divided, folds: tuning.folds })
  // A fold that no query fell into chose nothing.
  const scored = [...new Set(parts)].sort((a, b) => a - b)
  return [...parts].map((part) => chosen[scored.indexOf(part)])
}
