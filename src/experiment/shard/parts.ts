import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Failure } from '../../retrieve/run-step.ts'
import { sha256 } from '../../store/hash.ts'
import { makeFolder, writeRenamed } from '../../store/write.ts'
import type { ParquetColumn } from '../../tables/column.ts'
import { readTable, writeTable } from '../../tables/parquet.ts'
import {
  byName,
  type FirstRanks,
  LABEL_NAMES,
  MERGED_LISTS,
  type PartRow,
  RANKING_LISTS,
  ROW_NAMES,
  type RowLists,
  type ShardResult,
  type TrialRows,
} from './result.ts'

/**
 * Part files are the source of truth: one Parquet file per shard, `parts/00007-<16 hex digits of its SHA-256>.parquet`,
 * renamed when complete. A file whose bytes do not match its name is deleted and its shard run again.
 */
export interface Part {
  readonly shard: number
  readonly path: string
}

export interface EarlierPart {
  readonly part: Part
  readonly rows: ReadonlyMap<number, number>
}

export type EarlierRows = (shard: number) => readonly EarlierPart[]

const NAME = /^(\d{5,})-([0-9a-f]{16})\.parquet$/

/** Valid parts by shard. Removes altered parts; other files may be in progress. */
export function findParts(folder: string, planHash: string): Map<number, Part> {
  const parts = new Map<number, Part>()
  for (const part of listParts(folder, planHash)) {
    if (isWhole(part) && !parts.has(part.shard)) parts.set(part.shard, part)
    else rmSync(part.path, { force: true })
  }
  return parts
}

export function listParts(folder: string, planHash: string): Part[] {
  const directory = partsFolder(folder, planHash)
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .sort()
    .flatMap((file) => {
      const [, shard] = NAME.exec(file) ?? []
      return shard === undefined ? [] : [{ shard: Number(shard), path: join(directory, file) }]
    })
}

export function isWhole({ path }: Part): boolean {
  const [, , hash] = NAME.exec(basename(path)) ?? []
  return hash !== undefined && sha256(readFileSync(path)).startsWith(hash)
}

/** Parts of another plan are never read. */
export function partsFolder(folder: string, planHash: string): string {
  return join(folder, 'parts', planHash.slice(0, 16))
}

/** A part's bytes depend on its content alone, so times are stored elsewhere. */
export function writePart(
  folder: string,
  planHash: string,
  measures: readonly string[],
  result: ShardResult,
): Part {
  const directory = partsFolder(folder, planHash)
  makeFolder(directory)
  const number = String(result.shard).padStart(5, '0')
  const path = writeRenamed(join(directory, number), (fresh) => {
    writeTable(fresh, columnsOf(measures, result.trials), {
      plan: planHash,
      begin: String(result.begin),
      end: String(result.end),
      computed: JSON.stringify(Object.fromEntries([...result.computed].sort())),
    })
    return join(directory, `${number}-${sha256(readFileSync(fresh)).slice(0, 16)}.parquet`)
  })
  return { shard: result.shard, path }
}

const NUMBERS = [...ROW_NAMES, ...LABEL_NAMES]
const FIRST = ['counts', 'rows', 'scores'] as const

const LISTS = [...MERGED_LISTS, ...RANKING_LISTS]

/**
 * Cells of a trial: numbers by query (or label) as little-endian bytes, lists as JSON. A row per (trial, query) would be a
 * million small objects.
 */
export function cellsOf(measures: readonly string[], rows: TrialRows): PartRow {
  const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
    new Uint8Array(buffer, byteOffset, byteLength)
  return {
    ...Object.fromEntries(measures.map((name, measure) => [name, bytes(rows.values[measure])])),
    ...byName(NUMBERS, (name) => bytes(rows[name])),
    ...byName(LISTS, (name) =>
      rows[name].some((value) => value !== null) ? JSON.stringify(rows[name]) : null,
    ),
    ...Object.fromEntries(FIRST.map((name) => [`first_${name}`, bytes(rows.first[name])])),
  }
}

function columnsOf(measures: readonly string[], trials: readonly PartRow[]): ParquetColumn[] {
  const bytes = (name: string): ParquetColumn => {
    return { name, type: 'bytes', values: trials.map((row) => row[name] as Uint8Array) }
  }
  const lists = LISTS.map((name): ParquetColumn => {
    return { name, type: 'string', values: trials.map((row) => row[name] as string | null) }
  })
  const first = FIRST.map((name) => bytes(`first_${name}`))
  return [...measures.map(bytes), ...NUMBERS.map(bytes), ...lists, ...first]
}

export type Blobs = readonly Uint8Array[]

/** Merged columns of one part, one row per trial. */
type PartColumns = {
  /** `end` excluded. */
  readonly begin: number
  readonly end: number
  readonly values: readonly Blobs[]
  readonly computed: Readonly<Record<string, number>>
} & { readonly [K in (typeof NUMBERS)[number]]: Blobs } & {
  readonly [K in (typeof MERGED_LISTS)[number]]: readonly (RowLists[K] | null)[]
}

export async function readPart({ path }: Part, measures: readonly string[]): Promise<PartColumns> {
  const table = await readTable(path, [...measures, ...NUMBERS, ...MERGED_LISTS])
  const metadata = (key: string) => table.metadata.get(key) ?? ''
  return {
    begin: Number(metadata('begin')),
    end: Number(metadata('end')),
    values: measures.map(table.bytes),
    computed: JSON.parse(metadata('computed')),
    ...byName(NUMBERS, table.bytes),
    ...byName(MERGED_LISTS, (name) => table.strings(name).map(parsedList)),
  } as PartColumns
}

/** Rows of a part by trial, without failed ones: the cause may be gone. `rows`: index in the part. */
export async function readRows(
  { path }: Part,
  measures: readonly string[],
  rows: ReadonlyMap<number, number>,
): Promise<Map<number, PartRow>> {
  const numbers = [...measures, ...NUMBERS, ...FIRST.map((name) => `first_${name}`)]
  const table = await readTable(path, [...numbers, ...LISTS])
  const columns = { ...byName(numbers, table.bytes), ...byName(LISTS, table.strings) }
  const failures = table.strings('failures')
  return new Map(
    [...rows]
      .filter(([, row]) => failures[row] === '')
      .map(([trial, row]) => [
        trial,
        Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[row] || null])),
      ]),
  )
}

function parsedList(json: string) {
  return json === '' ? null : JSON.parse(json)
}

export type PartRankings = { readonly first: FirstRanks } & {
  readonly [K in 'counters' | (typeof RANKING_LISTS)[number]]: RowLists[K] | null
}

/** One measure and the failures, by trial. */
export interface PartScores {
  readonly begin: number
  readonly end: number
  readonly values: readonly Float64Array[]
  /** Empty without failures. */
  readonly failures: readonly (readonly (Failure | null)[])[]
}

export async function readScores({ path }: Part, measure: string): Promise<PartScores> {
  const table = await readTable(path, [measure, 'failures'])
  return {
    begin: Number(table.metadata.get('begin')),
    end: Number(table.metadata.get('end')),
    values: table.bytes(measure).map((blob) => new Float64Array(copyOf(blob))),
    failures: table.strings('failures').map((json) => parsedList(json) ?? []),
  }
}

export async function readRankings({ path }: Part, trials: readonly number[]): Promise<PartRankings[]> {
  const names = ['counters', ...RANKING_LISTS] as const
  const table = await readTable(path, [...FIRST.map((name) => `first_${name}`), ...names])
  const lists = byName(names, table.strings)
  const [counts, rows, scores] = FIRST.map((name) => table.bytes(`first_${name}`))
  return trials.map((row) => {
    const first = {
      counts: new Uint8Array(copyOf(counts[row])),
      rows: new Uint32Array(copyOf(rows[row])),
      scores: new Float64Array(copyOf(scores[row])),
    }
    const ranks = first.rows.length / first.counts.length
    return { first: { ...first, ranks }, ...byName(names, (name) => parsedList(lists[name][row])) }
  })
}

/** Aligned for typed arrays. */
function copyOf(blob: Uint8Array): ArrayBuffer {
  return new Uint8Array(blob).buffer
}
