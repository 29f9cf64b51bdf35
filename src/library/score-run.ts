import { UserError } from '../errors.ts'
import { DIALECTS, type DialectName } from '../metrics/dialects.ts'
import { type GoldByQuery, goldByQuery, scoreRankings as score } from '../metrics/score-run.ts'
import { askedMeasures, type NamedMeasure } from '../metrics/trec-names.ts'
import { readQrels, readRun } from '../runs/formats.ts'
import { openQrelsSink, openRunSink } from '../runs/sink.ts'
import type { Run } from '../runs/types.ts'

/** Throws a UserError for measures that need more than ids. */
export function requireLabels(namedMeasures: readonly NamedMeasure[]): void {
  const needed = {
    tokens: 'the tokens of the texts',
    context: 'the tokens of the texts',
    contains: 'texts and answers',
    foreign: 'the sources of the texts',
    entities: 'texts, and the entities that a query needs',
    labels: '',
  }
  const others = namedMeasures.filter(({ measure }) => measure.needs !== 'labels')
  if (others.length > 0)
    throw new UserError(
      others.map(({ label, measure }) => ({
        message: `\`${label}\` needs ${needed[measure.needs]}, which a run does not hold; \`touchstone run\` measures it`,
      })),
    )
}

/** Throws a UserError unless there is one measure, with a mean over queries. */
export function requireOne(namedMeasures: readonly NamedMeasure[], name: string): NamedMeasure {
  if (namedMeasures.length !== 1) throw new UserError(`\`${name}\` is a list of measures; choose one of them`)
  const [namedMeasure] = namedMeasures
  if (namedMeasure.measure.metric.mean !== 'arithmetic')
    throw new UserError(`\`${namedMeasure.label}\` is not a mean over queries; choose a measure that is`)
  return namedMeasure
}

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

/** Throws a UserError with every diagnostic. */
export async function readQrelsInput(input: QrelsInput): Promise<GoldByQuery> {
  if (typeof input === 'string') {
    const { value } = await readQrels(input)
    return goldByQuery(value.qrels, value.groups)
  }
  const sink = openQrelsSink('judgements', {})
  for (const [query, id, grade] of entries(input, 'grade')) sink.take(query, id, grade)
  return goldByQuery(sink.close().value.qrels)
}

/** Throws a UserError with every diagnostic; `name` is the run's in messages. */
export async function readRetrieved(input: RetrievedRun, name: string, keepsRepeats = false): Promise<Run> {
  if (typeof input === 'string') return (await readRun(input, { keepsRepeats })).value
  const sink = openRunSink(name, name, { keepsRepeats })
  for (const [query, id, score] of entries(input, 'score')) sink.take(query, id, score)
  return sink.close().value
}

type Row = { readonly query: string; readonly id: string; readonly grade?: number; readonly score?: number }

function* entries(
  input: ByQuery | Nested | readonly Row[],
  value: 'grade' | 'score',
): Generator<[query: string, id: string, value: number]> {
  if (Array.isArray(input)) {
    for (const row of input as readonly Row[]) yield [row.query, row.id, row[value] as number]
    return
  }
  const queries = input instanceof Map ? input : Object.entries(input)
  for (const [query, documents] of queries as Iterable<[string, Nested[string]]>) {
    const all = documents instanceof Map ? documents : Object.entries(documents)
    for (const [id, number] of all as Iterable<[string, number]>) yield [query, id, number]
  }
}

export interface ScoreRunOptions {
  /** Tool whose definitions are used; trec_eval 10's by default. */
  readonly dialect?: DialectName
  /** Maximum number of documents per query. */
  readonly depth?: number
  /** Leaves out judged queries that the run lacks; otherwise they score 0. Default as in the dialect. */
  readonly presentOnly?: boolean
}

export interface ScoredRun {
  /** Means by measure. */
  readonly means: Readonly<Record<string, number>>
  /** Values by query (in byte order) and measure. */
  readonly perQuery: ReadonlyMap<string, Readonly<Record<string, number>>>
  /** Number of judged queries that the run lacks. */
  readonly missing: number
  /** Number of unjudged queries of the run; they do not count. */
  readonly unjudged: number
  /** Mean share of judged documents among the first ten; null without judged queries. 0 suggests foreign document ids. */
  readonly judged: number | null
}

/**
 * Scores a run against labels, bit for bit as trec_eval does. `measures` are names as in a config (`ndcg@10`) or trec_eval's
 * (`ndcg_cut_10`, `official`). Throws a UserError with every diagnostic.
 */
export async function scoreRun(
  qrels: QrelsInput,
  run: RetrievedRun,
  measures: readonly string[] = ['ndcg@10', 'recall@10', 'map'],
  { dialect: name = 'trec_eval-10', ...options }: ScoreRunOptions = {},
): Promise<ScoredRun> {
  const dialect = DIALECTS[name]
  const namedMeasures = askedMeasures(measures)
  requireLabels(namedMeasures)
  const gold = await readQrelsInput(qrels)
  const { queries } = await readRetrieved(run, 'run', dialect.keepsRepeats)
  const scored = score({
    gold,
    run: queries,
    dialect,
    ...options,
    measures: namedMeasures.map(({ measure }) => measure),
  })
  const named = (value: (index: number) => number) =>
    Object.fromEntries(namedMeasures.map(({ label }, index) => [label, value(index)]))
  return {
    means: named((index) => scored.means[index]),
    perQuery: new Map(
      scored.queries.map((query, row) => [query, named((index) => scored.values[index][row])]),
    ),
    missing: scored.missing,
    unjudged: scored.unjudged,
    judged: scored.judged,
  }
}
