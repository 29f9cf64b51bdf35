import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { sealed, unsealed } from '../store/hash.ts'
import { writeOutput } from '../store/output.ts'
import { isMap } from '../text/json.ts'
import { type ColumnsOf, matrixWithin, readColumns, readGold, readScores, type Words } from './columns.ts'
import { alteredFiles, changed, manifestIn } from './finished.ts'
import { requireFormat } from './format.ts'
import { type GraphDescription, isGraphs } from './graphs.ts'
import { isLatency, type Latency } from './latency.ts'
import { readQueryClusters } from './row-values.ts'
import type { Finding, Manifest, Summary } from './summary.ts'

/** Content of an experiment folder. `trial` columns are indexes of `summary.trials`, `query` columns of `queries`. */
export interface Results {
  readonly folder: string
  /** Absolute path. */
  readonly path: string
  readonly summary: Summary
  readonly manifest: Manifest
  readonly config: string
  readonly queries: ResultQueries
  /** Scores by measure: trial x query, row-major; NaN if a query is not judged. */
  readonly scores: ReadonlyMap<string, Float64Array>
  readonly labels: ResultLabels
  readonly gold: GoldRanks
  /** First ranks of the finalists, not collapsed. */
  readonly rankings: Rankings
  readonly texts: ResultTexts
  readonly diagnostics: Diagnostics
  /** Null for a large experiment, or rankings of one step. */
  readonly breakdown: Breakdown | null
  /** Null for a large experiment, or without a graph. */
  readonly walks: Walks | null
  readonly routes: Routes | null
  readonly latency: Latency | null
  readonly graphs: readonly GraphDescription[]
  readonly answers: ResultAnswers | null
}

const RETRIEVED = { trial: 'integer', query: 'integer' } as const
/** Key of an answer; `trial` is -1 without retrieval. */
const ANSWERED = { trial: 'integer', answerer: 'words', query: 'integer' } as const

/** Columns that are read; `tables.ts` describes them. */
const TABLES = {
  labels: { query: 'integer', judged: 'texts', grade: 'integer', group: 'integer' },
  rankings: {
    ...RETRIEVED,
    rank: 'integer',
    chunk: 'words',
    judged: 'words',
    score: 'number',
    mark: 'words',
  },
  texts: { chunk: 'texts', judged: 'texts', title: 'texts', text: 'texts', tokens: 'integer' },
  diagnostics: { ...RETRIEVED, name: 'words', value: 'number', text: 'words' },
  breakdown: { ...RETRIEVED, rank: 'integer', step: 'words', step_rank: 'integer', score: 'number' },
  walks: {
    ...RETRIEVED,
    step: 'words',
    from: 'words',
    from_chunk: 'words',
    to: 'words',
    to_chunk: 'words',
    share: 'number',
  },
  routes: { router: 'words', query: 'integer', arm: 'words' },
  answers: { ...ANSWERED, answer: 'texts', failure: 'texts' },
  citations: { ...ANSWERED, number: 'integer', chunk: 'texts', text: 'texts' },
  reasons: { ...ANSWERED, judge: 'words', text: 'texts' },
} as const
type Tables = typeof TABLES
type TableOf<N extends keyof Tables> = ColumnsOf<Tables[N]> & { readonly rows: number }

export type ResultLabels = TableOf<'labels'>
export type Rankings = TableOf<'rankings'>
export type ResultTexts = TableOf<'texts'>
export type Diagnostics = TableOf<'diagnostics'>
export type Breakdown = TableOf<'breakdown'>
export type Walks = TableOf<'walks'>
export type Routes = TableOf<'routes'>
export type AnswerCitations = TableOf<'citations'>
export type JudgeReasons = TableOf<'reasons'>
export type OfAnswers = ColumnsOf<typeof ANSWERED> & { readonly rows: number }

export type ResultAnswers = TableOf<'answers'> & {
  /** Values by measure or judge; NaN if an answer does not count. */
  readonly measures: ReadonlyMap<string, Float64Array>
  readonly citations: AnswerCitations
  readonly reasons: JudgeReasons
}

export interface ResultQueries {
  readonly id: readonly string[]
  readonly text: readonly string[]
  readonly category: readonly string[]
  readonly answers: readonly (readonly string[])[]
  readonly answerable: Uint8Array
  /** With `compare.cluster`. */
  readonly cluster?: Int32Array | undefined
}

/** Ranks of labels: trial x label, row-major. */
export interface GoldRanks {
  /** From 1, collapsed to labelled units; 0 if not within depth. */
  readonly rank: Int32Array
  readonly stage: Words
}

/**
 * Reads the summary of a finished experiment. Throws a UserError if the folder holds none of this format, or a file
 * of it or of its datasets was altered.
 */
export function readSummary(folder: string): Summary {
  const at = resolve(folder)
  if (!existsSync(at)) throw new UserError('there is no such folder', folder)
  if (!statSync(at).isDirectory()) throw new UserError('is a file; name the experiment folder', folder)
  if (!existsSync(join(at, 'summary.json'))) {
    const begun = ['plan.json', 'parts'].some((name) => existsSync(join(at, name)))
    throw new UserError(
      begun
        ? 'is an experiment that has not finished; `touchstone run` with the same config resumes it'
        : 'is not an experiment folder: it holds no summary.json; name a folder that `touchstone run` wrote',
      folder,
    )
  }
  const summary = readJson<Summary>(join(at, 'summary.json'))
  const altered = alteredFiles(at, readManifest(at)).map((file) => join(folder, file))
  for (const { folder: below, result } of summary.datasets) {
    if (below === undefined) continue
    const isFinished = existsSync(join(at, below, 'summary.json'))
    const manifest = isFinished ? readManifest(join(at, below)) : undefined
    if (manifest?.result !== result)
      throw new UserError(
        'has another result than the table over all datasets; `touchstone run` with the same config makes it again',
        join(folder, below),
      )
    const files = manifest ? alteredFiles(join(at, below), manifest) : []
    altered.push(...files.map((file) => join(folder, below, file)))
  }
  if (altered.length > 0) throw new UserError(altered.map(changed))
  const audited = auditOf(at)
  const isWarning = audited.some(({ severity }) => severity === 'warning')
  const { findings } = summary
  return { ...summary, findings: isWarning ? [...audited, ...findings] : [...findings, ...audited] }
}

/** File of what `labels audit` found on the result next to it; not part of the result. */
const AUDIT = 'audit.json'

const AUDIT_KIND = {
  name: 'an audit of `labels audit`',
  isOwn: (beginning: string) => beginning.startsWith('{\n  "result"'),
}

export function writeAudit(folder: string, { result }: Manifest, findings: readonly Finding[]): void {
  writeOutput(join(folder, AUDIT), sealed({ result, findings }), AUDIT_KIND)
}

/** Findings of the last audit; none if it was of another result. */
function auditOf(folder: string): readonly Finding[] {
  const path = join(folder, AUDIT)
  if (!existsSync(path)) return []
  const audit = unsealed(parseJson<{ readonly result: string; readonly findings: Finding[] }>(path))
  if (!isMap(audit)) throw new UserError('was changed; delete it, or run `labels audit` again', path)
  return audit.result === readManifest(folder).result ? (audit.findings as Finding[]) : []
}

/** Reads the summary of an experiment over one dataset. Throws a UserError for several. */
export function readSingle(folder: string): Summary {
  const summary = readSummary(folder)
  if (summary.datasets.length === 1) return summary
  const below = summary.datasets.map((dataset) => dataset.folder)
  throw new UserError(
    `is an experiment over several datasets; name the folder of one below it: ${below.join(', ')}`,
    folder,
  )
}

export function readManifest(folder: string): Manifest {
  const file = join(folder, 'manifest.json')
  const manifest = manifestIn(readJson<Manifest>(file))
  if (!manifest) throw new UserError(changed(file))
  return manifest
}

/** Null if latency was not measured. */
export function readLatency(folder: string): Latency | null {
  const path = join(folder, 'timings', 'latency.json')
  if (!existsSync(path)) return null
  const latency = unsealed(parseJson<unknown>(path))
  if (!isLatency(latency)) throw new UserError(changed(path))
  return latency
}

function readGraphs(folder: string): readonly GraphDescription[] {
  const path = join(folder, 'graphs.json')
  if (!existsSync(path)) return []
  const graphs = parseJson<unknown>(path)
  if (!isGraphs(graphs)) throw new UserError(changed(path))
  return graphs
}

/**
 * Reads an experiment folder over one dataset, with the scores of `measures` (default: all). Throws a UserError that
 * names a missing or damaged file.
 */
export async function readResults(
  folder: string,
  measures: (summary: Summary) => readonly string[] = (summary) => summary.measures,
): Promise<Results> {
  const summary = readSingle(folder)
  const manifest = readManifest(folder)
  const queries = {
    ...(await readQueries(join(folder, 'queries.parquet'))),
    cluster: await readQueryClusters(folder, summary),
  }
  const [trials, count] = [summary.trials.length, queries.id.length]
  /** Reads a table and checks its indexes. */
  const table = async <N extends keyof Tables>(name: N): Promise<TableOf<N>> => {
    const path = join(folder, `${name}.parquet`)
    const columns = (await readColumns(path, TABLES[name])) as TableOf<N>
    const { trial, query } = columns as { readonly trial?: Int32Array; readonly query?: Int32Array }
    if (trial) matrixWithin(path, 'trial', trial, trials, 'answerer' in columns ? -1 : 0)
    if (query) matrixWithin(path, 'query', query, count)
    return columns
  }
  const optional = async <N extends keyof Tables>(name: N) =>
    `${name}.parquet` in manifest.files ? await table(name) : null
  const labels = await table('labels')
  return {
    folder: basename(resolve(folder)),
    path: resolve(folder),
    summary,
    manifest,
    config: readText(join(folder, 'experiment.yaml')),
    queries,
    scores: await readScores(join(folder, 'scores.parquet'), measures(summary), trials, count),
    labels,
    gold: await readGold(join(folder, 'gold.parquet'), trials, labels.rows),
    rankings: await table('rankings'),
    texts: await table('texts'),
    diagnostics: await table('diagnostics'),
    breakdown: await optional('breakdown'),
    walks: await optional('walks'),
    routes: await optional('routes'),
    latency: readLatency(folder),
    graphs: readGraphs(folder),
    answers: summary.answers
      ? {
          ...(await table('answers')),
          measures: await readAnswerMeasures(folder, summary.answers.measures),
          citations: await table('citations'),
          reasons: await table('reasons'),
        }
      : null,
  }
}

async function readAnswerMeasures(folder: string, measures: readonly { readonly name: string }[]) {
  const kinds = Object.fromEntries(measures.map(({ name }) => [name, 'number'] as const))
  const { rows: _, ...values } = await readColumns(join(folder, 'answers.parquet'), kinds)
  return new Map(Object.entries(values as Record<string, Float64Array>))
}

async function readQueries(path: string): Promise<ResultQueries> {
  const { id, text, category, answers, answerable } = await readColumns(path, {
    id: 'texts',
    text: 'texts',
    category: 'texts',
    answers: 'texts',
    answerable: 'flags',
  })
  return {
    id,
    text,
    category,
    answers: answers.map((list, row) => parseAnswers(path, row, list)),
    answerable,
  }
}

function parseAnswers(path: string, row: number, json: string): string[] {
  try {
    const list: unknown = json === '' ? [] : JSON.parse(json)
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list
  } catch {
    // The message below.
  }
  throw new UserError(`column "answers", row ${row + 1}: not a JSON list of strings`, path)
}

function readJson<T extends { readonly format: number }>(path: string): T {
  const value = parseJson<T>(path)
  requireFormat(path, value)
  return value
}

function parseJson<T>(path: string): T {
  const text = readText(path)
  try {
    return JSON.parse(text) as T
  } catch (error) {
    throw new UserError(
      `is not readable JSON (${error instanceof Error ? error.message : error}); \`touchstone run\` with the same config repairs it`,
      path,
    )
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UserError('is missing; run the experiment again', path)
  }
}

/** Reads a summary. Throws a UserError for an experiment on a sample. */
export function readWhole(folder: string, read = readSummary): Summary {
  const summary = read(folder)
  const samples = summary.datasets.flatMap(({ sample }) => sample ?? [])
  if (samples.length === 0) return summary
  const [sample] = samples
  throw new UserError(
    `ran on a sample of ${sample.queries} of ${sample.of} queries, which decides nothing; run the config without --limit`,
    folder,
  )
}
