import { type GoldByQuery, goldByQuery } from '../metrics/score-run.ts'
import { readQrels, readRun } from '../runs/formats.ts'
import { openQrelsSink, openRunSink } from '../runs/sink.ts'
import type { Run } from '../runs/types.ts'

type ByQuery = ReadonlyMap<string, ReadonlyMap<string, number>>
type Nested = Readonly<Record<string, Readonly<Record<string, number>>>>

/**
 * Labels: a file (TREC, BEIR, ranx JSON, CSV or Parquet, plain or gzip), or values by query and document as maps, objects or
 * rows. A grade is a whole number; 1 and more is relevant unless a measure says otherwise.
 */
export type QrelsInput = string | ByQuery | Nested | readonly QrelRecord[]

export interface QrelRecord {
  readonly query: string
  readonly id: string
  readonly grade: number
}

/**
 * Run of a system: a file, or scores in the same forms. Ranks follow from the scores; equal scores are ordered by id,
 * descending.
 */
export type RetrievedRun = string | ByQuery | Nested | readonly RetrievedDocument[]

export interface RetrievedDocument {
  readonly query: string
  readonly id: string
  readonly score: number
}

/** Reads labels. Throws a UserError with every diagnostic. */
export async function readQrelsInput(given: QrelsInput): Promise<GoldByQuery> {
  if (typeof given === 'string') {
    const { value } = await readQrels(given)
    return goldByQuery(value.qrels, value.groups)
  }
  const sink = openQrelsSink('judgements', {})
  for (const [query, id, grade] of entries(given, 'grade')) sink.take(query, id, grade)
  return goldByQuery(sink.close().value.qrels)
}

/** Reads a run. Throws a UserError with every diagnostic; `name` identifies the run in messages. */
export async function readRetrieved(given: RetrievedRun, name: string, keepsRepeats = false): Promise<Run> {
  if (typeof given === 'string') return (await readRun(given, { keepsRepeats })).value
  const sink = openRunSink(name, name, { keepsRepeats })
  for (const [query, id, score] of entries(given, 'score')) sink.take(query, id, score)
  return sink.close().value
}

type Row = { readonly query: string; readonly id: string; readonly grade?: number; readonly score?: number }

function* entries(
  given: ByQuery | Nested | readonly Row[],
  value: 'grade' | 'score',
): Generator<[query: string, id: string, value: number]> {
  if (Array.isArray(given)) {
    for (const row of given as readonly Row[]) yield [row.query, row.id, row[value] as number]
    return
  }
  const queries = given instanceof Map ? given : Object.entries(given)
  for (const [query, documents] of queries as Iterable<[string, Nested[string]]>) {
    const all = documents instanceof Map ? documents : Object.entries(documents)
    for (const [id, number] of all as Iterable<[string, number]>) yield [query, id, number]
  }
}
