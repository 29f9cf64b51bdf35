import { join } from 'node:path'
import { makeFolds, makeSplit } from '../statistics/tuned.ts'
import { readColumns, readScores } from './columns.ts'
import type { Summary, TunedSummary } from './summary.ts'

/**
 * Values by query of a row (a trial's id or `tuned:<strategy>`); NaN if a query does not count, undefined without
 * such a row.
 */
export type RowValues = (id: string, measure: string) => Float64Array | undefined

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

export async function readFolds(folder: string, summary: Summary): Promise<Uint8Array | null> {
  const { tuning } = summary
  if (tuning.kind !== 'folds') return null
  const { id, category } = await readDivided(folder)
  const clusters = await readQueryClusters(folder, summary)
  return makeFolds({ ids: id, categories: category, seed: tuning.seed, folds: tuning.folds, clusters })
}

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

/** Id of the trial that represents a tuned row, by query; null on a split's dev queries. */
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
  // An empty fold chose nothing.
  const scored = [...new Set(parts)].sort((a, b) => a - b)
  return [...parts].map((part) => chosen[scored.indexOf(part)])
}
