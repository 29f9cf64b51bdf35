import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createRegistry, find } from '../registry.ts'
import { findFile } from '../store/alternates.ts'
import { RUN_FORMATS } from './formats.ts'
import { openQrelsSink, openRunSink } from './sink.ts'
import { openSource } from './source.ts'
import type { FileKind, QrelsFile, ReadOptions, ReadResult, Run, RunFormat, RunSource } from './types.ts'

/** Sentences on a file as it was read: columns that left a choice, and what was left out or ordered in another way. */
export function linesOf({ read, notices }: Pick<ReadResult<unknown>, 'read' | 'notices'>): string[] {
  return [
    ...(read === undefined ? [] : [read]),
    ...Object.entries(notices).map(([what, count]) => `${what}: ${count}`),
  ]
}

/** Reads a run of any format, plain or gzip. Throws a UserError with every error and its line. */
export async function readRun(
  path: string,
  options: ReadOptions = {},
  format?: string,
): Promise<ReadResult<Run>> {
  const source = openSource(path)
  const chosen = formatOf(source, 'run', format)
  const into = openRunSink(
    path,
    basename(path)
      .replace(/\.gz$/, '')
      .replace(/\.[^.]+$/, ''),
    options,
    chosen.unit,
  )
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

/** The format with this name, else the first that detects the file. */
function formatOf(source: RunSource, kind: FileKind, name?: string): RunFormat {
  if (name !== undefined) return find(createRegistry(`${kind} format`, RUN_FORMATS), name)
  return RUN_FORMATS.find((format) => format.detect(source)) as RunFormat
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}
