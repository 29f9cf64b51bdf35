import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { createRegistry, find } from '../registry.ts'
import { findFile, stemOf } from '../store/input.ts'
import { GRADE, hasRole, isHeader, SCORE } from '../tables/roles.ts'
import { compareIds } from '../text/ids.ts'
import { readInteger } from '../text/numbers.ts'
import { beirRun } from './formats/beir.ts'
import { csv } from './formats/csv.ts'
import { parquet } from './formats/parquet.ts'
import { ranx } from './formats/ranx.ts'
import { trec } from './formats/trec.ts'
import { openQrelsSink, openRunSink } from './sink.ts'
import { openSource, spaced } from './source.ts'
import type {
  FileKind,
  QrelsFile,
  ReadOptions,
  ReadResult,
  Run,
  RunFormat,
  RunSource,
  WrittenRow,
} from './types.ts'

/** The table of formats of runs and qrels; the first that detects a file reads it. */
export const RUN_FORMATS: readonly RunFormat[] = [parquet, ranx, beirRun, csv, trec]

/** Sentences on a file as it was read: chosen columns, and notices. */
export function linesOf({ read, notices }: Pick<ReadResult<unknown>, 'read' | 'notices'>): string[] {
  return [
    ...(read === undefined ? [] : [read]),
    ...Object.entries(notices).map(([notice, count]) => `${notice}: ${count}`),
  ]
}

export async function readRun(
  path: string,
  options: ReadOptions = {},
  format?: string,
): Promise<ReadResult<Run>> {
  const source = openSource(path)
  const chosen = formatOf(source, 'run', format)
  const into = openRunSink(path, stemOf(path), options, chosen.unit)
  await chosen.read(source, into, 'run')
  return into.close()
}

const BEIR_QRELS = 'qrels/test.tsv'

/** Reads qrels of any format, plain or gzip; of a BEIR folder those of `qrels/test.tsv`. */
export async function readQrels(
  path: string,
  options: ReadOptions = {},
  format?: string,
): Promise<ReadResult<QrelsFile>> {
  const file = isFolder(path) ? join(path, findFile(path, BEIR_QRELS) ?? BEIR_QRELS) : path
  const source = openSource(file)
  const chosen = formatOf(source, 'qrels', format)
  const into = openQrelsSink(file, options, chosen.unit)
  await chosen.read(source, into, 'qrels')
  return into.close()
}

function formatOf(source: RunSource, kind: FileKind, name?: string): RunFormat {
  if (name !== undefined) return find(createRegistry(`${kind} format`, RUN_FORMATS), name)
  return RUN_FORMATS.find((format) => format.detect(source)) as RunFormat
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/** Format by name that writes such files. Throws a UserError that names the nearest, or those that do. */
export function formatThatWrites(kind: FileKind, name: string): RunFormat {
  const able = RUN_FORMATS.filter(({ writes }) => writes.includes(kind))
  return find(createRegistry(`${kind} format`, able), name)
}

/** Writes a run: queries by id, each ranking best first, equal scores by id bytes descending. */
export async function writeRun(path: string, { name, queries }: Run, format: string): Promise<void> {
  const rows = byId(queries).flatMap(([query, { ids, scores }]) =>
    [...ids.keys()]
      .sort((a, b) => scores[b] - scores[a] || compareIds(ids[b], ids[a]))
      .map((at): WrittenRow => ({ query, id: ids[at], value: scores[at], extra: name })),
  )
  await formatThatWrites('run', format).write(path, rows, 'run')
}

/** Writes qrels by id. Without a place for OR-groups every measure would change, so such a format is refused. */
export async function writeQrels(path: string, { qrels, groups }: QrelsFile, format: string): Promise<void> {
  const { hasGroups, write } = formatThatWrites('qrels', format)
  if (groups.size > 0 && !hasGroups)
    throw new UserError('cannot hold OR-groups of gold in this format; write csv, parquet or beir', path)
  const rows = byId(qrels).flatMap(([query, judged]) =>
    byId(judged).map(
      ([id, value]): WrittenRow => ({ query, id, value, extra: groups.get(query)?.get(id) ?? '' }),
    ),
  )
  await write(path, rows, 'qrels')
}

function byId<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => compareIds(a, b))
}

/** Kind of a file by its form; undefined for JSON and Parquet, whose runs and qrels look alike. */
export function kindOfFile(path: string): FileKind | undefined {
  const { head, isParquet, isJson } = openSource(path)
  if (isParquet || isJson) return undefined
  const first = head.split(/\r?\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
  const isTabbed = first.includes('\t')
  const header = first.split(isTabbed ? '\t' : ',')
  if (header.length >= 3 && isHeader(header)) {
    // A grade shows by the first rank alone: a run has a score too.
    const grade = hasRole(header, { ...GRADE, names: GRADE.names.slice(0, 1) })
    const score = hasRole(header, SCORE)
    const ours = /^query-id\s+corpus-id\s+score\b/i.test(first)
    if (score !== grade || ours) return score && !ours ? 'run' : 'qrels'
  }
  if (isTabbed && header.length === 3) return 'qrels'
  const fields = spaced(first)
  if (fields.length < 4) return undefined
  return fields.length > 4 || readInteger(fields[3]) === undefined ? 'run' : 'qrels'
}
