import { join, resolve } from 'node:path'
import { type Diagnostic, UserError } from '../errors.ts'
import type { Range } from '../metrics/range.ts'
import { type Comparison, compareTrials } from '../statistics/compare.ts'
import { momentsOf } from '../statistics/moments.ts'
import { didYouMean } from '../text/nearest.ts'
import { readColumns } from './columns.ts'
import { readManifest, readSingle } from './read.ts'
import { briefName, namedRows, namesInWords } from './row-names.ts'
import { readQueryClusters, readRowValues } from './row-values.ts'
import type { Manifest, Summary } from './summary.ts'

/** A row in one measure, in two experiments. */
interface PairedRow {
  readonly name: string
  /** Values by query, as in `PairedRows.queries`; NaN if a query does not count. */
  readonly before: Float64Array
  readonly now: Float64Array
}

export interface PairedRows {
  readonly measure: string
  readonly summary: Summary
  /** True for equal bytes of the dataset. */
  readonly sameData: boolean
  readonly rows: readonly PairedRow[]
  /** Ids in both experiments, in the order of `now`. */
  readonly queries: readonly string[]
  /** Clusters by query, if `now` compared by cluster. */
  readonly clusters: Int32Array | undefined
  /** Rows, and number of queries, of one experiment only. */
  readonly alone: {
    readonly now: { readonly rows: readonly string[]; readonly queries: number }
    readonly before: { readonly rows: readonly string[]; readonly queries: number }
  }
}

/** Names of one row, which may differ. */
export interface RowPair {
  readonly before: string
  readonly now: string
}

/**
 * Pairs rows of two experiments (all common ones, or `wanted`) by name, and their queries by id. Throws a UserError
 * with every error.
 */
export function pairedRows(
  now: OpenRows,
  before: OpenRows,
  measure: string,
  wanted: readonly RowPair[],
): PairedRows {
  const diagnostics: Diagnostic[] = (now === before ? [now] : [now, before])
    .filter(({ summary }) => !summary.measures.includes(measure))
    .map(({ folder, summary: { measures } }) => ({
      file: folder,
      message: `has no measure \`${measure}\`${didYouMean(measure, measures)}; there are ${measures.join(', ')}`,
    }))
  for (const pair of wanted)
    for (const [name, { folder: file, names }] of [[pair.now, now] as const, [pair.before, before] as const])
      if (!names.has(name))
        diagnostics.push({
          file,
          message: `has no row \`${name}\`${didYouMean(name, names.keys())}; there are ${listed(names)}`,
        })
  const shared = [...now.names.keys()].filter((name) => before.names.has(name))
  if (diagnostics.length === 0 && wanted.length === 0 && shared.length === 0)
    diagnostics.push({
      file: now.folder,
      message: `has no row with the same name as a row of ${before.folder}: ${listed(now.names)} here, ${listed(before.names)} there; rows are paired by name, so give equal trials equal names`,
    })
  const indexes = new Map(before.ids.map((id, index) => [id, index]))
  const both = now.ids.flatMap((id, index) => {
    const other = indexes.get(id)
    return other === undefined ? [] : [{ id, index, other }]
  })
  if (diagnostics.length === 0 && both.length === 0)
    diagnostics.push({
      file: now.folder,
      message: `has no query id in common with ${before.folder}; queries are paired by id, so compare experiments over the same questions`,
    })
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  const pairs = wanted.length > 0 ? wanted : shared.map((name) => ({ before: name, now: name }))
  const only = (opened: OpenRows, other: OpenRows) => ({
    rows: [...opened.names.keys()].filter((name) => !other.names.has(name)),
    queries: opened.ids.length - both.length,
  })
  return {
    measure,
    summary: now.summary,
    sameData: now.manifest.dataset === before.manifest.dataset,
    queries: both.map(({ id }) => id),
    clusters: now.clusters && Int32Array.from(both, ({ index }) => now.clusters?.[index] ?? index),
    rows: pairs.map((pair) => {
      const [current, old] = [now.values(pair.now, measure), before.values(pair.before, measure)]
      return {
        name: pair.now === pair.before ? pair.now : `${pair.before} -> ${pair.now}`,
        now: Float64Array.from(both, ({ index }) => current[index]),
        before: Float64Array.from(both, ({ other }) => old[other]),
      }
    }),
    alone: { now: only(now, before), before: only(before, now) },
  }
}

function listed(names: ReadonlyMap<string, string>): string {
  return namesInWords([...names.keys()], (name) => `\`${name}\``)
}

/** Full name of a row that may be named as the leaderboard shortens it. */
export function rowNamed({ names, summary }: OpenRows, name: string): string {
  const brief = summary.trials.filter((trial) => briefName(trial) === name)
  return !names.has(name) && brief.length === 1 ? brief[0].name : name
}

/** A finished experiment with its rows by name. */
export interface OpenRows {
  readonly folder: string
  readonly summary: Summary
  readonly manifest: Manifest
  readonly ids: readonly string[]
  readonly clusters: Int32Array | undefined
  /** Name of a row -> its id. */
  readonly names: ReadonlyMap<string, string>
  values(name: string, measure: string): Float64Array
}

export async function openRows(folder: string): Promise<OpenRows> {
  const summary = readSingle(folder)
  const at = resolve(folder)
  const { id: ids } = await readColumns(join(at, 'queries.parquet'), { id: 'texts' })
  const rowValues = await readRowValues(at, summary)
  const names = new Map(namedRows(summary).map(({ name, id }) => [name, id]))
  const values = (name: string, measure: string) =>
    rowValues(names.get(name) ?? '', measure) ?? new Float64Array(0)
  const clusters = await readQueryClusters(at, summary)
  return { folder, summary, manifest: readManifest(at), ids, clusters, names, values }
}

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
    const comparison = tests.get(row) ?? null
    return {
      ...meansOver(row, measure, comparison ? counted : countedIn([row])),
      test: comparison && testOf(comparison),
    }
  })
}

export function pairedMeans({ rows, measure }: PairedRows): PairedMeans[] {
  return rows.map((row) => meansOver(row, measure, countedIn([row])))
}

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
