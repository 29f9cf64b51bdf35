import { join } from 'node:path'
import type { TrialSummary } from '../../results/summary.ts'
import { errorParts } from '../../statistics/repeats.ts'
import type { ParquetColumn } from '../../tables/column.ts'
import { writeTable } from '../../tables/parquet.ts'
import type { RepeatedTrial } from '../plan/repeats.ts'
import type { Merged } from './merge.ts'

/** Merged parts in which a trial's numbers are means over its repeats. */
export interface Averaged extends Merged {
  /** Values of stochastic trials, by measure, repeat and query. */
  readonly drawn: ReadonlyMap<number, readonly (readonly Float64Array[])[]>
}

/**
 * Replaces values, their bounds under ties and counters by means over a trial's repeats. Rankings, ranks of gold, stages and
 * tokens stay those of the first repeat, since rankings have no mean. A query that failed in any repeat counts as failed, with
 * value 0 in that repeat.
 */
export function averageRepeats(all: Merged, repeats: readonly RepeatedTrial[]): Averaged {
  if (repeats.length === 0) return { ...all, drawn: new Map() }
  const { queries } = all
  const trials = all.trials - repeats.length
  const labels = all.labelOffsets[queries]
  const rowsOf = new Map<number, number[]>()
  for (const [index, { of }] of repeats.entries())
    rowsOf.set(of, [...(rowsOf.get(of) ?? [of]), trials + index])
  const drawn = new Map<number, readonly (readonly Float64Array[])[]>()
  for (const [of, rows] of rowsOf)
    drawn.set(
      of,
      all.values.map((column) =>
        rows.map((row) => Float64Array.from(column.subarray(row * queries, (row + 1) * queries))),
      ),
    )
  for (const [of, byMeasure] of drawn)
    for (const [measure, columns] of byMeasure.entries())
      all.values[measure].subarray(of * queries, (of + 1) * queries).set(meansOf(columns))
  for (const column of [all.worst, all.best])
    for (const [of, rows] of rowsOf) {
      const own = rows.map((row) => column.slice(row * queries, (row + 1) * queries))
      column.subarray(of * queries, (of + 1) * queries).set(meansOf(own))
    }
  const counters = all.counters.slice(0, trials).map((own, trial) => {
    const rows = rowsOf.get(trial)
    return rows ? meanCounts(rows.map((row) => all.counters[row])) : own
  })
  return {
    ...all,
    trials,
    values: all.values.map((column) => column.subarray(0, trials * queries)),
    worst: all.worst.subarray(0, trials * queries),
    best: all.best.subarray(0, trials * queries),
    retrieved: all.retrieved.subarray(0, trials * queries),
    tokens: all.tokens.subarray(0, trials * queries),
    evidenceTokens: all.evidenceTokens.subarray(0, trials * queries),
    counters,
    arms: new Map([...all.arms].filter(([trial]) => trial < trials)),
    fallbacks: all.fallbacks.slice(0, trials),
    failures: failuresOf(all.failures, trials, repeats),
    ranks: all.ranks.subarray(0, trials * labels),
    scores: all.scores.subarray(0, trials * labels),
    stages: all.stages.subarray(0, trials * labels),
    channels: all.channels.subarray(0, trials * labels),
    drawn,
  }
}

/** Values by repeat of a row that picks a trial for each query; undefined if no picked trial is stochastic. */
export function repeatsOfPicked(
  { drawn, values, queries }: Averaged,
  picked: ArrayLike<number>,
  measure: number,
): readonly Float64Array[] | undefined {
  const trials = [...new Set(Array.from(picked))].filter((trial) => trial >= 0)
  const count = Math.max(0, ...trials.map((trial) => drawn.get(trial)?.[measure].length ?? 0))
  if (count === 0) return undefined
  return Array.from({ length: count }, (_, repeat) =>
    Float64Array.from({ length: queries }, (_, query) => {
      const trial = picked[query]
      if (trial < 0) return Number.NaN
      return drawn.get(trial)?.[measure][repeat][query] ?? values[measure][trial * queries + query]
    }),
  )
}

/** Means by query; NaN if one of the repeats has no value. */
function meansOf(columns: readonly Float64Array[]): Float64Array {
  const means = new Float64Array(columns[0].length)
  for (const column of columns)
    for (let query = 0; query < means.length; query++) means[query] += column[query]
  return means.map((sum) => sum / columns.length)
}

function meanCounts(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const own of counts)
    for (const [name, count] of Object.entries(own)) sums[name] = (sums[name] ?? 0) + count
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / counts.length]))
}

/** Failures by (trial, query), each from the first repeat that failed. */
function failuresOf(
  failures: Merged['failures'],
  trials: number,
  repeats: readonly RepeatedTrial[],
): Merged['failures'] {
  const found = new Map<string, Merged['failures'][number]>()
  for (const failure of failures) {
    const again = repeats[failure.trial - trials]
    const own = again
      ? { ...failure, trial: again.of, message: `in repeat ${again.repeat + 1}: ${failure.message}` }
      : failure
    const key = `${own.trial} ${own.query}`
    if (!found.has(key)) found.set(key, own)
  }
  return [...found.values()].sort((a, b) => a.trial - b.trial || a.query - b.query)
}

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
