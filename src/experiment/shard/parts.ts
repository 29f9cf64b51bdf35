import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { QueryFacts } from '../../retrieve/evaluate.ts'
import type { StepRanks } from '../../retrieve/explain.ts'
import type { Failure } from '../../retrieve/run-step.ts'
import { sha256 } from '../../store/hash.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { writeRenamed } from '../../store/write.ts'
import type { ParquetColumn } from '../../tables/column.ts'
import { readTable, writeTable } from '../../tables/parquet.ts'
import type { FirstRanks } from './first-ranks.ts'
import type { RowMarks, RowWalks, ShardResult } from './result.ts'

/**
 * Part files are the source of truth: one Parquet file per shard, `parts/00007-<16 hex digits of its SHA-256>.parquet`, written
 * under a temporary name and renamed. A file whose bytes do not match its name was truncated or altered: it is deleted and its
 * shard is run again.
 */
export interface Part {
  readonly shard: number
  readonly path: string
}

const NAME = /^(\d{5,})-([0-9a-f]{16})\.parquet$/

/** Valid parts of this plan by shard, optionally only of `shards`. Removes altered parts; other files may be in progress. */
export function findParts(folder: string, planHash: string, shards?: ReadonlySet<number>): Map<number, Part> {
  const parts = new Map<number, Part>()
  for (const part of listParts(folder, planHash)) {
    if (shards && !shards.has(part.shard)) continue
    if (isWhole(part) && !parts.has(part.shard)) parts.set(part.shard, part)
    else rmSync(part.path, { force: true })
  }
  return parts
}

/** Part files of this plan by name, whole or not. */
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

/** True if a part's bytes match its name. */
export function isWhole({ path }: Part): boolean {
  const [, , hash] = NAME.exec(basename(path)) ?? []
  return hash !== undefined && sha256(readFileSync(path)).startsWith(hash)
}

/** Folder of a plan's parts, so that parts of another plan are never read. */
function partsFolder(folder: string, planHash: string): string {
  return join(folder, 'parts', planHash.slice(0, 16))
}

/** Writes a shard's result. Times are stored elsewhere, since a part's bytes depend on its content alone. */
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
    writeTable(fresh, columnsOf(measures, result), {
      plan: planHash,
      begin: String(result.begin),
      end: String(result.end),
      computed: JSON.stringify(Object.fromEntries([...result.computed].sort())),
    })
    return join(directory, `${number}-${sha256(readFileSync(fresh)).slice(0, 16)}.parquet`)
  })
  return { shard: result.shard, path }
}

/** Typed arrays with the same number of elements per trial. */
type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array

/**
 * One row per trial; a cell contains the trial's numbers for the shard's queries (or labels), one after another, as
 * little-endian bytes. One row per (trial, query) would be a million small objects to write and read.
 */
function columnsOf(measures: readonly string[], result: ShardResult): ParquetColumn[] {
  const { trials } = result
  const n = result.end - result.begin
  const numbers = (name: string, values: Numbers): ParquetColumn => ({
    name,
    type: 'bytes',
    values: rowsOf(values, trials),
  })
  const lists = (name: string, values: readonly unknown[]): ParquetColumn => ({
    name,
    type: 'string',
    values: Array.from({ length: trials }, (_, trial) => {
      const own = values.slice(trial * n, (trial + 1) * n)
      return own.some((value) => value !== null) ? JSON.stringify(own) : null
    }),
  })
  return [
    ...measures.map((name, measure) => {
      const values = new Float64Array(trials * n)
      for (let row = 0; row < values.length; row++)
        values[row] = result.values[row * measures.length + measure]
      return numbers(name, values)
    }),
    numbers('worst', result.worst),
    numbers('best', result.best),
    numbers('retrieved', result.retrieved),
    numbers('tokens', result.tokens),
    numbers('evidence_tokens', result.evidenceTokens),
    lists('counters', result.counters),
    lists('arms', result.arms),
    lists('fallbacks', result.fallbacks),
    lists('notes', result.notes),
    lists('marks', result.marks),
    lists('breakdowns', result.breakdowns),
    lists('walks', result.walks),
    lists('failures', result.failures),
    numbers('ranks', result.ranks),
    numbers('scores', result.scores),
    numbers('stages', result.stages),
    numbers('channels', result.channels),
    numbers('first_counts', result.first.counts),
    numbers('first_rows', result.first.rows),
    numbers('first_scores', result.first.scores),
  ]
}

function rowsOf(values: Numbers, rows: number): Uint8Array[] {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const width = bytes.length / rows
  return Array.from({ length: rows }, (_, row) => bytes.subarray(row * width, (row + 1) * width))
}

/** Numbers of each trial for the shard's queries (or labels), one after another, as little-endian bytes. */
export type Blobs = readonly Uint8Array[]

/** Values by row and query. */
type Lists<T> = readonly (readonly (T | null)[] | null)[]

export interface PartColumns {
  /** Indexes of its queries: from `begin` up to, not including, `end`. */
  readonly begin: number
  readonly end: number
  /** Each column has one row per trial. Values by measure, as doubles; likewise `worst`, `best` and `scores`. */
  readonly values: readonly Blobs[]
  readonly worst: Blobs
  readonly best: Blobs
  /** Integers of four bytes; likewise `tokens`, `evidenceTokens` and `ranks`. */
  readonly retrieved: Blobs
  readonly tokens: Blobs
  readonly evidenceTokens: Blobs
  /** Values by row and query; null for a row without any. */
  readonly counters: Lists<QueryFacts['counters']>
  readonly arms: Lists<string>
  readonly fallbacks: Lists<readonly string[]>
  readonly failures: Lists<Failure>
  readonly ranks: Blobs
  readonly scores: Blobs
  /** Bytes; likewise `channels`. */
  readonly stages: Blobs
  readonly channels: Blobs
  readonly computed: Readonly<Record<string, number>>
}

/** Columns of a part that are merged, besides the measures. */
const MERGED = [
  'worst',
  'best',
  'retrieved',
  'tokens',
  'evidence_tokens',
  'counters',
  'arms',
  'fallbacks',
  'failures',
  'ranks',
  'scores',
  'stages',
  'channels',
]

export async function readPart({ path }: Part, measures: readonly string[]): Promise<PartColumns> {
  const table = await readTable(path, [...measures, ...MERGED])
  const metadata = (key: string) => table.metadata.get(key) ?? ''
  const lists = (name: string) => table.strings(name).map((json) => (json === '' ? null : JSON.parse(json)))
  return {
    begin: Number(metadata('begin')),
    end: Number(metadata('end')),
    values: measures.map(table.bytes),
    worst: table.bytes('worst'),
    best: table.bytes('best'),
    retrieved: table.bytes('retrieved'),
    tokens: table.bytes('tokens'),
    evidenceTokens: table.bytes('evidence_tokens'),
    counters: lists('counters'),
    arms: lists('arms'),
    fallbacks: lists('fallbacks'),
    failures: lists('failures'),
    ranks: table.bytes('ranks'),
    scores: table.bytes('scores'),
    stages: table.bytes('stages'),
    channels: table.bytes('channels'),
    computed: JSON.parse(metadata('computed')),
  }
}

/** Rankings of one trial in a part, query after query. */
export interface PartRankings {
  readonly first: FirstRanks
  /** Counters by query, like `notes`; null if there are none. */
  readonly counters: readonly (QueryFacts['counters'] | null)[] | null
  readonly notes: readonly (QueryFacts['notes'] | null)[] | null
  readonly marks: readonly (RowMarks | null)[] | null
  readonly breakdowns: readonly (readonly StepRanks[] | null)[] | null
  readonly walks: readonly (RowWalks | null)[] | null
}

/** Queries of a part with the values of one measure and the failures, by trial. */
export interface PartScores {
  readonly begin: number
  readonly end: number
  readonly values: readonly Float64Array[]
  /** Empty for a trial without failures. */
  readonly failures: readonly (readonly (Failure | null)[])[]
}

export async function readScores({ path }: Part, measure: string): Promise<PartScores> {
  const table = await readTable(path, [measure, 'failures'])
  return {
    begin: Number(table.metadata.get('begin')),
    end: Number(table.metadata.get('end')),
    values: table.bytes(measure).map((blob) => new Float64Array(copyOf(blob))),
    failures: table.strings('failures').map((json) => (json === '' ? [] : JSON.parse(json))),
  }
}

const RANKINGS = ['first_counts', 'first_rows', 'first_scores'] as const
const SAID = ['counters', 'notes', 'marks', 'breakdowns', 'walks'] as const

/** Rankings of the trials at these indexes, in their order. */
export async function readRankings({ path }: Part, trials: readonly number[]): Promise<PartRankings[]> {
  const table = await readTable(path, [...RANKINGS, ...SAID])
  const [counters, notes, marks, breakdowns, walks] = SAID.map((name) => {
    const lists = table.strings(name)
    return (row: number) => (lists[row] === '' ? null : JSON.parse(lists[row]))
  })
  const [counts, rows, scores] = RANKINGS.map((name) => table.bytes(name))
  return trials.map((row) => {
    const first = {
      counts: new Uint8Array(copyOf(counts[row])),
      rows: new Uint32Array(copyOf(rows[row])),
      scores: new Float64Array(copyOf(scores[row])),
    }
    const ranks = first.rows.length / first.counts.length
    return {
      first: { ...first, ranks },
      counters: counters(row),
      notes: notes(row),
      marks: marks(row),
      breakdowns: breakdowns(row),
      walks: walks(row),
    }
  })
}

/** Copy with the alignment that a typed array needs. */
function copyOf(blob: Uint8Array): ArrayBuffer {
  return new Uint8Array(blob).buffer
}
