import { join } from 'node:path'
import type { TrialSummary } from '../../results/summary.ts'
import { errorParts } from '../../statistics/repeats.ts'
import type { ParquetColumn } from '../../tables/column.ts'
import { writeTable } from '../../tables/parquet.ts'
import type { Averaged } from './average-repeats.ts'

/** Means and variance components of the primary measure over a stochastic trial's repeats; empty for other trials. */
export function describeRepeats(
  values: Float64Array,
  repeats: readonly Float64Array[] | undefined,
): Pick<TrialSummary, 'repeats'> {
  if (!repeats) return {}
  const counts = (column: Float64Array) => column.filter((value) => !Number.isNaN(value))
  const own = repeats.map(counts)
  if (own.some(({ length }) => length < 2)) return {}
  return {
    repeats: {
      means: own.map((column) => column.reduce((sum, value) => sum + value, 0) / column.length),
      error: errorParts(
        [counts(values)],
        own.map((column) => [column]),
      ),
    },
  }
}

/**
 * Writes `repeats.parquet`: one row per (trial, repeat, query) of the stochastic trials, one column per measure. No file
 * without such trials.
 */
export function writeRepeats(
  folder: string,
  measures: readonly string[],
  { drawn, queries }: Averaged,
): void {
  if (drawn.size === 0) return
  const rows = [...drawn].flatMap(([trial, byMeasure]) =>
    byMeasure[0].map((_, repeat) => ({ trial, repeat, columns: byMeasure.map((own) => own[repeat]) })),
  )
  const numbers = (of: (row: (typeof rows)[number], query: number) => number) =>
    Int32Array.from({ length: rows.length * queries }, (_, at) =>
      of(rows[Math.floor(at / queries)], at % queries),
    )
  writeTable(join(folder, 'repeats.parquet'), [
    { name: 'trial', type: 'int32', values: numbers(({ trial }) => trial) },
    { name: 'repeat', type: 'int32', values: numbers(({ repeat }) => repeat) },
    { name: 'query', type: 'int32', values: numbers((_, query) => query) },
    ...measures.map((name, measure): ParquetColumn => {
      const values = new Float64Array(rows.length * queries)
      rows.forEach(({ columns }, row) => {
        values.set(columns[measure], row * queries)
      })
      return { name, type: 'number', values }
    }),
  ])
}
