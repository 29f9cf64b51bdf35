import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { QueryFacts } from '../../retrieve/evaluate.ts'
import type { Failure } from '../../retrieve/run-step.ts'
import { sha256 } from '../../store/hash.ts'
import { writeRenamed } from '../../store/write.ts'
import type { ParquetColumn } from '../../tables/column.ts'
import { readTable, writeTable } from '../../tables/parquet.ts'
import type { FirstRanks } from './first-ranks.ts'
import type { RowMarks, ShardResult } from './result.ts'

/**
 * Part files are the truth of a run: one Parquet file a shard, `parts/00007-<16 hex digits of its SHA-256>.parquet`,
 * written to a temporary name and renamed. A file whose bytes do not hash to its name was truncated or altered: it is
 * deleted and its shard run again.
 */
export interface Part {
  readonly shard: number
  readonly path: string
}

const NAME = /^(\d{5,})-([0-9a-f]{16})\.parquet$/

/**
 * What is done: the valid parts of this plan, by shard; where `shards` are named, of these. Removes altered ones; what
 * else lies there may be in the making.
 */
export function findParts(folder: string, planHash: string, shards?: ReadonlySet<number>): Map<number, Part> {
  const parts = new Map<number, Part>()
  const directory = partsFolder(folder, planHash)
  if (!existsSync(directory)) return parts
  for (const file of readdirSync(directory).sort()) {
    const [, shard, hash] = NAME.exec(file) ?? []
    const path = join(directory, file)
    if (!hash || (shards && !shards.has(Number(shard)))) continue
    if (sha256(readFileSync(path)).startsWith(hash) && !parts.has(Number(shard)))
      parts.set(Number(shard), { shard: Number(shard), path })
    else rmSync(path, { force: true })
  }
  return parts
}

/** Parts stand apart by plan, so that parts of another plan are never read. */
function partsFolder(folder: string, planHash: string): string {
  return join(folder, 'parts', planHash.slice(0, 16))
}

/** Writes a shard's result; what took how long goes elsewhere, since a part's bytes depend on its content alone. */
export function writePart(
  folder: string,
  planHash: string,
  measures: readonly string[],
  result: ShardResult,
): Part {
  const directory = partsFolder(folder, planHash)
  mkdirSync(directory, { recursive: true })
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

/** Typed arrays that hold as many numbers for each trial. */
type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array

/**
 * A row a trial that ran; a cell holds the trial's numbers for the shard's queries (or their labels), one after another, as
 * little-endian bytes. A row a (trial, query) would be a million small objects to write and to read.
 */
function columnsOf(measures: readonly string[], result: ShardResult): ParquetColumn[] {
  const trials = result.trials.length
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
    { name: 'trial', type: 'int32', values: Int32Array.from(result.trials) },
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
    lists('failures', result.failures),
    numbers('ranks', result.ranks),
    numbers('scores', result.scores),
    numbers('stages', result.stages),
    numbers('channels', result.channels),
    numbers('label_tokens', result.labelTokens),
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

/** By row: a trial's numbers for the shard's queries (or their labels), one after another, as little-endian bytes. */
export type Blobs = readonly Uint8Array[]

/** By row, by query. */
type Lists<T> = readonly (readonly (T | null)[] | null)[]

export interface PartColumns {
  /** Places of its queries in the running order. */
  readonly begin: number
  readonly end: number
  /** Places of the trials that ran, of which each column has a row. */
  readonly trials: Int32Array
  /** By measure: doubles, as `worst`, `best` and `scores` are. */
  readonly values: readonly Blobs[]
  readonly worst: Blobs
  readonly best: Blobs
  /** Whole numbers of four bytes, as `tokens`, `evidenceTokens` and `ranks` are. */
  readonly retrieved: Blobs
  readonly tokens: Blobs
  readonly evidenceTokens: Blobs
  /** By row: of each query, where there are any; else null. */
  readonly counters: Lists<QueryFacts['counters']>
  readonly arms: Lists<string>
  readonly fallbacks: Lists<readonly string[]>
  readonly failures: Lists<Failure>
  readonly ranks: Blobs
  readonly scores: Blobs
  /** Bytes, as `channels` are. */
  readonly stages: Blobs
  readonly channels: Blobs
  readonly computed: Readonly<Record<string, number>>
}

/** What is merged of a part, besides the measures. */
const MERGED = [
  'trial',
  ...['worst', 'best', 'retrieved', 'tokens', 'evidence_tokens', 'counters', 'arms', 'fallbacks', 'failures'],
  ...['ranks', 'scores', 'stages', 'channels'],
]

export async function readPart({ path }: Part, measures: readonly string[]): Promise<PartColumns> {
  const table = await readTable(path, [...measures, ...MERGED])
  const metadata = (key: string) => table.metadata.get(key) ?? ''
  const lists = (name: string) => table.strings(name).map((json) => (json === '' ? null : JSON.parse(json)))
  return {
    begin: Number(metadata('begin')),
    end: Number(metadata('end')),
    trials: Int32Array.from(table.numbers('trial')),
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

/** What a part holds of one trial's rankings, query after query. */
export interface PartRankings {
  readonly first: FirstRanks
  /** By label; 0 where it has no rank. */
  readonly labelTokens: Int32Array
  /** By query, as `notes`; null where there are none. */
  readonly counters: readonly (QueryFacts['counters'] | null)[] | null
  readonly notes: readonly (QueryFacts['notes'] | null)[] | null
  readonly marks: readonly (RowMarks | null)[] | null
}

/** One measure's values for the shard's queries, of each trial that ran, by its place. */
export async function readValues({ path }: Part, measure: string): Promise<Map<number, Float64Array>> {
  const table = await readTable(path, ['trial', measure])
  const blobs = table.bytes(measure)
  return new Map(
    [...table.numbers('trial')].map((trial, row) => [trial, new Float64Array(copyOf(blobs[row]))]),
  )
}

const RANKINGS = ['label_tokens', 'first_counts', 'first_rows', 'first_scores'] as const
const SAID = ['counters', 'notes', 'marks'] as const

/** The same of the trials at these places, in their order, all of which ran. */
export async function readRankings({ path }: Part, trials: readonly number[]): Promise<PartRankings[]> {
  const table = await readTable(path, ['trial', ...RANKINGS, ...SAID])
  const [counters, notes, marks] = SAID.map((name) => {
    const lists = table.strings(name)
    return (row: number) => (lists[row] === '' ? null : JSON.parse(lists[row]))
  })
  const rowOf = new Map([...table.numbers('trial')].map((trial, row) => [trial, row]))
  const [tokens, counts, rows, scores] = RANKINGS.map((name) => table.bytes(name))
  return trials.map((trial) => {
    const row = rowOf.get(trial) as number
    const first = {
      counts: new Uint8Array(copyOf(counts[row])),
      rows: new Uint32Array(copyOf(rows[row])),
      scores: new Float64Array(copyOf(scores[row])),
    }
    const ranks = first.rows.length / first.counts.length
    return {
      first: { ...first, ranks },
      labelTokens: new Int32Array(copyOf(tokens[row])),
      counters: counters(row),
      notes: notes(row),
      marks: marks(row),
    }
  })
}

/** Numbers do not stand where a typed array could look at them. */
function copyOf(blob: Uint8Array): ArrayBuffer {
  return new Uint8Array(blob).buffer
}
