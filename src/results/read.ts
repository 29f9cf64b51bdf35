import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { unsealed } from '../store/sealed.ts'
import { readColumns, type Words } from './columns.ts'
import { datasetFolders } from './dataset-folders.ts'
import { alteredFiles, changed, manifestIn } from './finished.ts'
import { requireFormat } from './format.ts'
import { type GraphDescription, isGraphs } from './graphs.ts'
import { isLatency, type Latency } from './latency.ts'
import { matrixWithin, readGold, readScores } from './matrices.ts'
import { readQueryClusters } from './row-values.ts'
import type { Manifest, Summary } from './summary.ts'

/** Everything an experiment folder holds, in columns. `trial` columns are indexes in `summary.trials`, `query` ones in `queries`. */
export interface Results {
  /** The folder's own name. */
  readonly folder: string
  /** Absolute path of the folder. */
  readonly path: string
  readonly summary: Summary
  readonly manifest: Manifest
  /** Text of `experiment.yaml`. */
  readonly config: string
  readonly queries: ResultQueries
  /** Scores by requested measure: trial x query, row-major; NaN if a query is not judged. */
  readonly scores: ReadonlyMap<string, Float64Array>
  readonly labels: ResultLabels
  readonly gold: GoldRanks
  /** The first ranks of the finalists' rankings, uncollapsed. */
  readonly rankings: Rankings
  readonly texts: ResultTexts
  readonly diagnostics: Diagnostics
  /** Null if the experiment is too large for them, or has no ranking of several steps. */
  readonly breakdown: Breakdown | null
  /** Null if the experiment is too large for them, or walks no graph. */
  readonly walks: Walks | null
  /** Null without a router. */
  readonly routes: Routes | null
  readonly latency: Latency | null
  /** Graphs that trials read; empty without any. */
  readonly graphs: readonly GraphDescription[]
  /** Answers to the questions; null if the experiment has none. */
  readonly answers: ResultAnswers | null
}

/** One row an (answerer, trial, query). */
export interface ResultAnswers {
  readonly rows: number
  /** -1 for an answer without retrieval. */
  readonly trial: Int32Array
  readonly answerer: Words
  readonly query: Int32Array
  readonly answer: readonly string[]
  /** Reason for a missing answer; '' if there is one. */
  readonly failure: readonly string[]
  /** Values by answer measure and judge: one a row, NaN if it does not count. */
  readonly measures: ReadonlyMap<string, Float64Array>
  readonly citations: AnswerCitations
  readonly reasons: JudgeReasons
}

/** Columns that say which answer a row is about, as in `ResultAnswers`. */
export interface OfAnswers {
  readonly rows: number
  readonly trial: Int32Array
  readonly answerer: Words
  readonly query: Int32Array
}

/** One row a number that an answer cites. */
export interface AnswerCitations extends OfAnswers {
  readonly number: Int32Array
  /** '' if the passage is no single chunk. */
  readonly chunk: readonly string[]
  /** Text of such a passage; '' too if no passage has this number. */
  readonly text: readonly string[]
}

/** One row a verdict of a judge that gave reasons. */
export interface JudgeReasons extends OfAnswers {
  readonly judge: Words
  readonly text: readonly string[]
}

export interface ResultQueries {
  readonly id: readonly string[]
  readonly text: readonly string[]
  /** '' where it has none. */
  readonly category: readonly string[]
  readonly answers: readonly (readonly string[])[]
  readonly answerable: Uint8Array
  /** Clusters, where queries were compared by cluster. */
  readonly cluster?: Int32Array | undefined
}

/** One row a judgement, by query. */
export interface ResultLabels {
  readonly rows: number
  readonly query: Int32Array
  readonly judged: readonly string[]
  readonly grade: Int32Array
  /** Labels of a query with the same group are alternatives; -1 where a query has no groups. */
  readonly group: Int32Array
}

/** Ranks of the labels in every trial's rankings: trial x label, row-major. */
export interface GoldRanks {
  /** Rank from 1 after collapsing to labelled units; 0 if not within depth. */
  readonly rank: Int32Array
  readonly stage: Words
}

/** One row a (trial, query, rank). */
export interface Rankings {
  readonly rows: number
  readonly trial: Int32Array
  readonly query: Int32Array
  readonly rank: Int32Array
  readonly chunk: Words
  readonly judged: Words
  readonly score: Float64Array
  /** Note of a step on the chunk; usually ''. */
  readonly mark: Words
}

/** One row a (finalist, query, name): what its steps counted, or said where there is a text. */
export interface Diagnostics {
  readonly rows: number
  readonly trial: Int32Array
  readonly query: Int32Array
  readonly name: Words
  /** NaN for a text. */
  readonly value: Float64Array
  /** -1 for a number. */
  readonly text: Words
}

/** One row a (trial, query, rank, step): the place of a ranked chunk after one step. */
export interface Breakdown {
  readonly rows: number
  readonly trial: Int32Array
  readonly query: Int32Array
  /** Rank in `rankings`. */
  readonly rank: Int32Array
  readonly step: Words
  /** Rank after the step; 0 if its list lacks the chunk. */
  readonly stepRank: Int32Array
  /** NaN if its list lacks the chunk. */
  readonly score: Float64Array
}

/** One row a link of a walk; a link from the question ('') is a start with its share. */
export interface Walks {
  readonly rows: number
  readonly trial: Int32Array
  readonly query: Int32Array
  readonly step: Words
  /** Name or title. */
  readonly from: Words
  /** Id of a chunk; '' if it is none. */
  readonly fromChunk: Words
  readonly to: Words
  readonly toChunk: Words
  readonly share: Float64Array
}

/** One row a (router, query): the arm that the router chose. */
export interface Routes {
  readonly rows: number
  /** Ids of trials, or `tuned:<name>` of fitted routers. */
  readonly router: Words
  readonly query: Int32Array
  readonly arm: Words
}

/** Every chunk that `rankings` names, and those of the gold. */
export interface ResultTexts {
  readonly chunk: readonly string[]
  /** The judged id the chunk belongs to. */
  readonly judged: readonly string[]
  readonly title: readonly string[]
  readonly text: readonly string[]
  readonly tokens: Int32Array
}

/**
 * Reads a finished experiment's summary: whatever reads results begins here. Throws a UserError where the folder holds
 * none of this format, or where a file of it does not have the hash that its manifest gives it.
 */
export function readSummary(folder: string): Summary {
  const at = resolve(folder)
  if (!existsSync(at)) throw new UserError({ file: folder, message: 'there is no such folder' })
  if (!statSync(at).isDirectory())
    throw new UserError({ file: folder, message: 'is a file; name the experiment folder' })
  if (!existsSync(join(at, 'summary.json'))) {
    const datasets = datasetFolders(at)
    if (datasets)
      throw new UserError({
        file: folder,
        message: `is an experiment over several datasets; name the folder of one below it: ${datasets.join(', ')}`,
      })
    const begun = ['plan.json', 'parts'].some((name) => existsSync(join(at, name)))
    throw new UserError({
      file: folder,
      message: begun
        ? 'is an experiment that has not finished; `touchstone run` with the same config resumes it'
        : 'is not an experiment folder: it holds no summary.json',
    })
  }
  const summary = readJson<Summary>(join(at, 'summary.json'))
  const altered = alteredFiles(at, readManifest(at))
  if (altered.length > 0) throw new UserError(altered.map((file) => changed(join(folder, file))))
  return summary
}

export function readManifest(folder: string): Manifest {
  const file = join(folder, 'manifest.json')
  const manifest = manifestIn(readJson<Manifest>(file))
  if (!manifest) throw new UserError(changed(file))
  return manifest
}

/** Latencies of the trials; null if they were not measured. */
export function readLatency(folder: string): Latency | null {
  const path = join(folder, 'timings', 'latency.json')
  if (!existsSync(path)) return null
  const latency = unsealed(parseJson<unknown>(path))
  if (!isLatency(latency)) throw new UserError(changed(path))
  return latency
}

/** Descriptions of the graphs; empty if no trial read one. */
function readGraphs(folder: string): readonly GraphDescription[] {
  const path = join(folder, 'graphs.json')
  if (!existsSync(path)) return []
  const graphs = parseJson<unknown>(path)
  if (!isGraphs(graphs)) throw new UserError(changed(path))
  return graphs
}

/**
 * Reads a whole experiment folder; of every query's scores those in `measures`, which are all by default. Throws a
 * UserError that names the file where something is missing or damaged.
 */
export async function readResults(
  folder: string,
  measures: (summary: Summary) => readonly string[] = (summary) => summary.measures,
): Promise<Results> {
  const summary = readSummary(folder)
  const queries = {
    ...(await readQueries(join(folder, 'queries.parquet'))),
    cluster: await readQueryClusters(folder, summary),
  }
  const trials = summary.trials.length
  const labels = await readColumns(join(folder, 'labels.parquet'), {
    query: 'integer',
    judged: 'texts',
    grade: 'integer',
    group: 'integer',
  })
  matrixWithin(join(folder, 'labels.parquet'), 'query', labels.query, queries.id.length)
  const gold = await readGold(join(folder, 'gold.parquet'), trials, labels.rows)
  const rankings = await readColumns(join(folder, 'rankings.parquet'), {
    trial: 'integer',
    query: 'integer',
    rank: 'integer',
    chunk: 'words',
    judged: 'words',
    score: 'number',
    mark: 'words',
  })
  matrixWithin(join(folder, 'rankings.parquet'), 'trial', rankings.trial, trials)
  matrixWithin(join(folder, 'rankings.parquet'), 'query', rankings.query, queries.id.length)
  const texts = await readColumns(join(folder, 'texts.parquet'), {
    chunk: 'texts',
    judged: 'texts',
    title: 'texts',
    text: 'texts',
    tokens: 'integer',
  })
  const diagnostics = await readColumns(join(folder, 'diagnostics.parquet'), {
    trial: 'integer',
    query: 'integer',
    name: 'words',
    value: 'number',
    text: 'words',
  })
  matrixWithin(join(folder, 'diagnostics.parquet'), 'trial', diagnostics.trial, trials)
  matrixWithin(join(folder, 'diagnostics.parquet'), 'query', diagnostics.query, queries.id.length)
  return {
    folder: basename(resolve(folder)),
    path: resolve(folder),
    summary,
    manifest: readManifest(folder),
    config: readText(join(folder, 'experiment.yaml')),
    queries,
    scores: await readScores(join(folder, 'scores.parquet'), measures(summary), trials, queries.id.length),
    labels,
    gold,
    rankings,
    texts,
    diagnostics,
    ...(await readExplanations(folder, trials, queries.id.length)),
    latency: readLatency(folder),
    graphs: readGraphs(folder),
    answers: summary.answers
      ? await readAnswers(
          folder,
          summary.answers.measures.map(({ name }) => name),
          trials,
          queries.id.length,
        )
      : null,
  }
}

async function readExplanations(
  folder: string,
  trials: number,
  queries: number,
): Promise<Pick<Results, 'breakdown' | 'walks' | 'routes'>> {
  const { files } = readManifest(folder)
  const within = <T extends { trial: Int32Array; query: Int32Array }>(file: string, columns: T): T => {
    matrixWithin(join(folder, file), 'trial', columns.trial, trials)
    matrixWithin(join(folder, file), 'query', columns.query, queries)
    return columns
  }
  const breakdown = async (): Promise<Breakdown> => {
    const { step_rank, ...columns } = await readColumns(join(folder, 'breakdown.parquet'), {
      ...({ trial: 'integer', query: 'integer', rank: 'integer' } as const),
      ...({ step: 'words', step_rank: 'integer', score: 'number' } as const),
    })
    return within('breakdown.parquet', { ...columns, stepRank: step_rank })
  }
  const walks = async (): Promise<Walks> => {
    const { from_chunk, to_chunk, ...columns } = await readColumns(join(folder, 'walks.parquet'), {
      ...({ trial: 'integer', query: 'integer', step: 'words' } as const),
      ...({ from: 'words', from_chunk: 'words', to: 'words', to_chunk: 'words', share: 'number' } as const),
    })
    return within('walks.parquet', { ...columns, fromChunk: from_chunk, toChunk: to_chunk })
  }
  const routes = async (): Promise<Routes> => {
    const path = join(folder, 'routes.parquet')
    const columns = await readColumns(path, { router: 'words', query: 'integer', arm: 'words' })
    matrixWithin(path, 'query', columns.query, queries)
    return columns
  }
  return {
    breakdown: 'breakdown.parquet' in files ? await breakdown() : null,
    walks: 'walks.parquet' in files ? await walks() : null,
    routes: 'routes.parquet' in files ? await routes() : null,
  }
}

const OF_ANSWERS = { trial: 'integer', answerer: 'words', query: 'integer' } as const

async function readAnswers(
  folder: string,
  measures: readonly string[],
  trials: number,
  queries: number,
): Promise<ResultAnswers> {
  const path = join(folder, 'answers.parquet')
  const { rows, ...columns } = await readColumns(path, { ...OF_ANSWERS, answer: 'texts', failure: 'texts' })
  const [cited, reasoned] = ['citations.parquet', 'reasons.parquet'].map((file) => join(folder, file))
  const citations = await readColumns(cited, {
    ...OF_ANSWERS,
    ...({ number: 'integer', chunk: 'texts', text: 'texts' } as const),
  })
  const reasons = await readColumns(reasoned, { ...OF_ANSWERS, judge: 'words', text: 'texts' })
  for (const [file, { trial, query }] of [
    [path, columns],
    [cited, citations],
    [reasoned, reasons],
  ] as const) {
    // The trial of an answer without retrieval is -1.
    const places = trial.map((place) => (place === -1 ? 0 : place))
    matrixWithin(file, 'trial', places, trials)
    matrixWithin(file, 'query', query, queries)
  }
  const kinds = Object.fromEntries(measures.map((name) => [name, 'number'] as const))
  const { rows: _, ...values } = await readColumns(path, kinds)
  return {
    rows,
    ...columns,
    measures: new Map(Object.entries(values as Record<string, Float64Array>)),
    citations,
    reasons,
  }
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
    // The same message as for JSON of another form.
  }
  throw new UserError({ file: path, message: `column "answers", row ${row + 1}: not a JSON list of strings` })
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
    throw new UserError({
      file: path,
      message: `is not readable JSON (${error instanceof Error ? error.message : error}); \`touchstone run\` with the same config repairs it`,
    })
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UserError({ file: path, message: 'is missing; run the experiment again' })
  }
}
