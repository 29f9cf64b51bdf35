import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../store/hash.ts'
import type { Column } from '../tables/column.ts'
import { readTable, writeTable } from '../tables/parquet.ts'
import type { ShardResult } from './shard.ts'

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

/** What is done: the valid parts of this plan, by shard. Removes temporary, altered and foreign files; `removed` counts them. */
export function findParts(folder: string, planHash: string): { parts: Map<number, Part>; removed: string[] } {
  const parts = new Map<number, Part>()
  const removed: string[] = []
  const directory = partsFolder(folder, planHash)
  if (!existsSync(directory)) return { parts, removed }
  for (const file of readdirSync(directory).sort()) {
    const [, shard, hash] = NAME.exec(file) ?? []
    const path = join(directory, file)
    if (hash && sha256(readFileSync(path)).startsWith(hash) && !parts.has(Number(shard)))
      parts.set(Number(shard), { shard: Number(shard), path })
    else {
      rmSync(path, { force: true })
      removed.push(file)
    }
  }
  return { parts, removed }
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
  const fresh = join(directory, `${number}.${process.pid}.tmp`)
  writeTable(fresh, columnsOf(measures, result), {
    plan: planHash,
    begin: String(result.begin),
    end: String(result.end),
    trials: String(result.trials),
    computed: JSON.stringify(Object.fromEntries([...result.computed].sort())),
  })
  const path = join(directory, `${number}-${sha256(readFileSync(fresh)).slice(0, 16)}.parquet`)
  renameSync(fresh, path)
  return { shard: result.shard, path }
}

function columnsOf(measures: readonly string[], result: ShardResult): Column[] {
  const n = result.end - result.begin
  const rows = result.trials * n
  const each = <T>(make: (trial: number, place: number) => T): T[] =>
    Array.from({ length: rows }, (_, row) => make(Math.floor(row / n), row % n))
  const slice = (column: Int32Array | Float64Array | Uint8Array) => {
    const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
    const size = column.BYTES_PER_ELEMENT
    const labels = result.offsets[n]
    return each((trial, place) =>
      bytes.subarray(
        size * (trial * labels + result.offsets[place]),
        size * (trial * labels + result.offsets[place + 1]),
      ),
    )
  }
  return [
    { name: 'trial', type: 'int32', values: Int32Array.from(each((trial) => trial)) },
    { name: 'query', type: 'int32', values: Int32Array.from(each((_, place) => result.begin + place)) },
    ...measures.map((name, measure): Column => {
      const values = new Float64Array(rows)
      for (let row = 0; row < rows; row++) values[row] = result.values[row * measures.length + measure]
      return { name, type: 'number', values }
    }),
    { name: 'worst', type: 'number', values: result.worst },
    { name: 'best', type: 'number', values: result.best },
    { name: 'retrieved', type: 'int32', values: result.retrieved },
    { name: 'tokens', type: 'int32', values: result.tokens },
    { name: 'evidence_tokens', type: 'int32', values: result.evidenceTokens },
    {
      name: 'counters',
      type: 'string',
      values: result.counters.map((value) => value && JSON.stringify(value)),
    },
    {
      name: 'failure',
      type: 'string',
      values: result.failures.map((value) => value && JSON.stringify(value)),
    },
    { name: 'ranks', type: 'bytes', values: slice(result.ranks) },
    { name: 'scores', type: 'bytes', values: slice(result.scores) },
    { name: 'stages', type: 'bytes', values: slice(result.stages) },
    { name: 'channels', type: 'bytes', values: slice(result.channels) },
  ]
}

/** A part as columns by row; label columns are joined, in row order. */
export interface PartColumns {
  readonly begin: number
  readonly end: number
  readonly trials: number
  /** One array a measure. */
  readonly values: readonly number[][]
  readonly worst: readonly number[]
  readonly best: readonly number[]
  readonly retrieved: readonly number[]
  readonly tokens: readonly number[]
  readonly evidenceTokens: readonly number[]
  /** JSON, or '' where there is none. */
  readonly counters: readonly string[]
  readonly failures: readonly string[]
  readonly ranks: Int32Array
  readonly scores: Float64Array
  readonly stages: Uint8Array
  readonly channels: Uint8Array
  readonly computed: Readonly<Record<string, number>>
}

export async function readPart(path: string, measures: readonly string[]): Promise<PartColumns> {
  const table = await readTable(path)
  const metadata = (key: string) => table.metadata.get(key) ?? ''
  return {
    begin: Number(metadata('begin')),
    end: Number(metadata('end')),
    trials: Number(metadata('trials')),
    values: measures.map((name) => table.numbers(name)),
    worst: table.numbers('worst'),
    best: table.numbers('best'),
    retrieved: table.numbers('retrieved'),
    tokens: table.numbers('tokens'),
    evidenceTokens: table.numbers('evidence_tokens'),
    counters: table.strings('counters'),
    failures: table.strings('failure'),
    ranks: new Int32Array(joined(table.bytes('ranks'))),
    scores: new Float64Array(joined(table.bytes('scores'))),
    stages: new Uint8Array(joined(table.bytes('stages'))),
    channels: new Uint8Array(joined(table.bytes('channels'))),
    computed: JSON.parse(metadata('computed')),
  }
}

function joined(blobs: readonly Uint8Array[]): ArrayBuffer {
  const bytes = new Uint8Array(blobs.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const blob of blobs) {
    bytes.set(blob, at)
    at += blob.length
  }
  return bytes.buffer
}
