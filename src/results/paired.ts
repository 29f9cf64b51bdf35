import { join, resolve } from 'node:path'
import { type Diagnostic, UserError } from '../errors.ts'
import { didYouMean } from '../text/nearest.ts'
import { briefName } from './brief-name.ts'
import { readColumns } from './columns.ts'
import { namedRows } from './expected.ts'
import { readManifest, readSingle } from './read.ts'
import { readQueryClusters, readRowValues } from './row-values.ts'
import type { Manifest, Summary } from './summary.ts'

/** A row in one measure, in two experiments. */
export interface PairedRow {
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
  const only = (one: OpenRows, other: OpenRows) => ({
    rows: [...one.names.keys()].filter((name) => !other.names.has(name)),
    queries: one.ids.length - both.length,
  })
  return {
    measure,
    summary: now.summary,
    sameData: now.manifest.dataset === before.manifest.dataset,
    queries: both.map(({ id }) => id),
    clusters: now.clusters && Int32Array.from(both, ({ index }) => now.clusters?.[index] ?? index),
    rows: pairs.map((pair) => {
      const [own, old] = [now.values(pair.now, measure), before.values(pair.before, measure)]
      return {
        name: pair.now === pair.before ? pair.now : `${pair.before} -> ${pair.now}`,
        now: Float64Array.from(both, ({ index }) => own[index]),
        before: Float64Array.from(both, ({ other }) => old[other]),
      }
    }),
    alone: { now: only(now, before), before: only(before, now) },
  }
}

/** Most rows that a message names. */
const LISTED = 20

function listed(names: ReadonlyMap<string, string>): string {
  const rows = [...names.keys()].map((name) => `\`${name}\``)
  const more = rows.length > LISTED ? ` and ${rows.length - LISTED} more` : ''
  return `${rows.slice(0, LISTED).join(', ')}${more}`
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
  /** Values by query. */
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
