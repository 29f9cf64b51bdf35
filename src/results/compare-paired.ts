import type { Range } from '../metrics/range.ts'
import { compareTrials } from '../statistics/compare.ts'
import type { Comparison } from '../statistics/comparison.ts'
import { momentsOf } from '../statistics/summarize.ts'
import type { PairedRow, PairedRows } from './paired.ts'

/** Means in two experiments over the queries that count in both. */
export interface PairedMeans {
  readonly name: string
  readonly measure: string
  readonly n: number
  readonly before: number
  readonly now: number
}

export type PairedTest = Pick<
  Comparison,
  'difference' | 'low' | 'high' | 'p' | 'adjusted' | 'untested' | 'wins' | 'ties' | 'losses' | 'verdict'
>

export interface MeasureScale {
  readonly better: 'higher' | 'lower'
  readonly range: Range
}

interface Tested extends PairedMeans {
  readonly test: PairedTest | null
}

/** Defaults of a config. */
export const TEST = { correction: 'max-t', draws: 10_000, seed: 1 } as const

export interface PairedTestOptions {
  readonly level?: number | undefined
  /** Equivalence: the whole interval is within ± this margin. */
  readonly margin?: number | undefined
}

/**
 * Tests all rows together, over the queries that count in all of them. Rows in `untested` (routers fitted in folds)
 * and rows without counting queries get means only.
 */
export function comparePaired(
  { rows, measure, clusters }: Pick<PairedRows, 'rows' | 'measure' | 'clusters'>,
  { better, range }: MeasureScale,
  untested: ReadonlySet<string>,
  { level = 0.05, margin }: PairedTestOptions = {},
): Tested[] {
  const tested = rows.filter((row) => !untested.has(row.name) && countedIn([row]).length > 0)
  const counted = countedIn(tested)
  const matrix = tested.flatMap(({ before, now }) => [before, now])
  const family = tested.map((_, index) => ({ name: `${2 * index + 1}`, baseline: `${2 * index}` }))
  const compared =
    counted.length === 0
      ? []
      : compareTrials({
          names: matrix.map((_, index) => `${index}`),
          matrix,
          family,
          better,
          range,
          clusters,
          ...TEST,
          level,
          margin,
        })
  const tests = new Map(tested.map((row, index) => [row, compared[index] ?? null]))
  return rows.map((row) => {
    const found = tests.get(row) ?? null
    return { ...meansOver(row, measure, found ? counted : countedIn([row])), test: found && testOf(found) }
  })
}

export function pairedMeans({ rows, measure }: PairedRows): PairedMeans[] {
  return rows.map((row) => meansOver(row, measure, countedIn([row])))
}

/** Queries that count in all rows. */
export function countedIn(rows: readonly PairedRow[]): number[] {
  return [...(rows[0]?.now.keys() ?? [])].filter((query) =>
    rows.every(({ before, now }) => !Number.isNaN(before[query]) && !Number.isNaN(now[query])),
  )
}

function meansOver({ name, before, now }: PairedRow, measure: string, counted: readonly number[]) {
  const mean = (row: Float64Array) => momentsOf(Float64Array.from(counted, (query) => row[query])).mean
  return { name, measure, n: counted.length, before: mean(before), now: mean(now) }
}

function testOf({ untested, ...test }: Comparison): PairedTest {
  const { difference, low, high, p, adjusted, wins, ties, losses, verdict } = test
  const result = { difference, low, high, p, adjusted, wins, ties, losses, verdict }
  return untested === undefined ? result : { ...result, untested }
}
