import { type Diagnostic, UserError } from '../errors.ts'
import { type Measure, rangeOf } from '../metrics/define.ts'
import { DIALECTS, type Dialect, type DialectName } from '../metrics/dialects.ts'
import { ANY, type Range } from '../metrics/range.ts'
import { type GoldByQuery, type QueryGold, scoreRankings } from '../metrics/score-run.ts'
import { askedMeasures } from '../metrics/trec-names.ts'
import type { Run } from '../runs/types.ts'
import { type CompareInput, type Comparison, type Correction, compareTrials } from '../statistics/compare.ts'
import { linkedClusters, numberClusters } from '../statistics/moments.ts'
import { didYouMean } from '../text/nearest.ts'
import {
  type QrelsInput,
  type RetrievedRun,
  readQrelsInput,
  readRetrieved,
  requireLabels,
  requireOne,
} from './score-run.ts'

/** Options of every comparison of rows (runs, or given values). */
export interface CompareOptions {
  /** Run that the others are compared with; the first by default. */
  readonly baseline?: string
  /** Compares every pair of runs, 20 runs at most. */
  readonly pairs?: boolean
  /** Significance level, .05 by default; intervals cover 1 - level simultaneously. */
  readonly level?: number
  /** Multiplicity correction over the family of tests; max-t by default. */
  readonly correction?: Correction
  /** Runs are equivalent if the whole interval is within plus or minus this margin. */
  readonly margin?: number
  /** Resamples of the bootstrap, 10,000 by default. */
  readonly draws?: number
  readonly seed?: number
}

export interface CompareRunsOptions extends CompareOptions {
  /** Measure with a mean over queries; nDCG at 10 by default. */
  readonly measure?: string
  /** `gold`: queries that share a relevant document, directly or through others, are tested as one. */
  readonly cluster?: 'gold'
  /** Tool whose definitions are used; trec_eval 10's by default. */
  readonly dialect?: DialectName
}

export interface ComparedRuns {
  readonly measure: string
  /** Number of queries that all runs were scored on. */
  readonly queries: number
  /** Means by run, in the given order. */
  readonly means: Readonly<Record<string, number>>
  /** Mean share of judged documents among the first ten, by run; null for a run without judged queries. */
  readonly judged: Readonly<Record<string, number | null>>
  readonly comparisons: readonly Comparison[]
}

/**
 * Compares runs over the same judged queries by a paired bootstrap with simultaneous intervals, as the report does.
 * `runs` is keyed by name. A query that a run lacks scores 0. Throws a UserError with every diagnostic.
 */
export async function compareRuns(
  qrels: QrelsInput,
  runs: Readonly<Record<string, RetrievedRun>>,
  options: CompareRunsOptions = {},
): Promise<ComparedRuns> {
  const { measure: name = 'ndcg@10', dialect: dialectName = 'trec_eval-10' } = options
  const dialect = DIALECTS[dialectName]
  const namedMeasures = askedMeasures([name])
  requireLabels(namedMeasures)
  const { measure, label } = requireOne(namedMeasures, name)
  const gold = await readQrelsInput(qrels)
  const read: { name: string; run: Run }[] = []
  for (const [run, input] of Object.entries(runs))
    read.push({ name: run, run: await readRetrieved(input, run, dialect.keepsRepeats) })
  const { scores, queries, comparisons } = compareAll(gold, read, { ...options, measure, dialect })
  return {
    measure: label,
    queries,
    means: Object.fromEntries(read.map(({ name: run }, index) => [run, scores[index].mean])),
    judged: Object.fromEntries(read.map(({ name: run }, index) => [run, scores[index].judged])),
    comparisons,
  }
}

export interface CompareScoresOptions extends CompareOptions {
  /** Direction of the values; higher by default. */
  readonly better?: 'higher' | 'lower'
  /** Possible values; intervals stay inside. Any value by default. */
  readonly range?: Range
  /** Name of each query's cluster, if queries are not independent: clusters are then tested instead of queries. */
  readonly clusters?: readonly string[]
}

/**
 * Compares values that are already computed: by row one number for each query, all rows in the same order of queries. NaN
 * leaves a query out of all rows. The tests are those of `compareRuns`. Throws a UserError with every error.
 */
export function compareScores(
  scores: Readonly<Record<string, ArrayLike<number>>>,
  options: CompareScoresOptions = {},
): Comparison[] {
  const { better = 'higher', range = ANY, clusters } = options
  const names = Object.keys(scores)
  if (names.length < 2) throw new UserError('compare needs two rows or more')
  const queries = scores[names[0]].length
  const diagnostics: Diagnostic[] = []
  for (const name of names) {
    const values = Array.from(scores[name])
    if (values.length !== queries)
      diagnostics.push({
        message: `\`${name}\` has ${values.length} values and \`${names[0]}\` has ${queries}; give one value for each query`,
      })
    const wrong = values.findIndex(
      (value) => value < range.low || value > range.high || Math.abs(value) === Infinity,
    )
    if (wrong >= 0)
      diagnostics.push({
        message: `\`${name}\`, value ${wrong}: ${values[wrong]} is not a finite number from ${range.low} to ${range.high}`,
      })
  }
  if (clusters && clusters.length !== queries)
    diagnostics.push({
      message: `there are ${clusters.length} clusters for ${queries} queries; name one for each query`,
    })
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  const matrix = names.map((name) => Float64Array.from(scores[name]))
  return compareRows(names, matrix, {
    ...options,
    better,
    range,
    clusters: clusters && numberClusters(clusters),
  })
}

interface Comparing extends Omit<CompareRunsOptions, 'measure' | 'dialect'> {
  readonly measure: Measure
  readonly dialect: Dialect
  /** Lowest relevant grade for clusters; 1 by default. */
  readonly grade?: number
}

/** Scores by run, and comparisons. Throws a UserError if there is nothing to compare. */
export function compareAll(
  gold: GoldByQuery,
  runs: readonly { readonly name: string; readonly run: Run }[],
  options: Comparing,
) {
  const { measure, dialect } = options
  if (runs.length < 2) throw new UserError('compare needs two runs or more')
  const { margin } = options
  if (measure.metric.bounded && margin !== undefined && margin >= 1)
    throw new UserError(
      `a margin of ${margin} is the whole range of \`${measure.name}\`, so every difference is within it; 0.01 is one point`,
    )
  const names = runs.map(({ name }) => name)
  // Queries that one run lacks are left out for all.
  const judgedGold = new Map(
    [...gold].filter(([id]) => !dialect.presentOnly || runs.every(({ run }) => run.queries.has(id))),
  )
  if (judgedGold.size < 2)
    throw new UserError('fewer than two judged queries are in every run: nothing to compare')
  const scores = runs.map(({ run }) => {
    const scored = scoreRankings({
      gold: judgedGold,
      run: run.queries,
      measures: [measure],
      dialect,
      presentOnly: false,
    })
    const { judged, meets } = scored
    return { values: scored.values[0], mean: scored.means[0], judged, meets }
  })
  const clusters =
    options.cluster && linkedClusters([...judgedGold.values()].map(relevantIds(options.grade ?? 1)))
  const comparisons = compareRows(
    names,
    scores.map(({ values }) => values),
    { ...options, clusters, better: measure.metric.better, range: rangeOf(measure.metric) },
  )
  const isForeign = (name: string) => !scores[names.indexOf(name)].meets
  const decided = comparisons.map((comparison): Comparison => {
    // Scores of a run with other document ids say nothing.
    const isOpen = isForeign(comparison.name) || isForeign(comparison.baseline)
    return isOpen ? { ...comparison, verdict: 'cannot tell' } : comparison
  })
  return { scores, queries: judgedGold.size, clusters, comparisons: decided }
}

function compareRows(
  names: readonly string[],
  matrix: readonly Float64Array[],
  options: CompareOptions & Pick<CompareInput, 'better' | 'range' | 'clusters'>,
): Comparison[] {
  const { level = 0.05 } = options
  if (!(level > 0 && level < 1))
    throw new UserError(`level ${level}: a significance level is between 0 and 1, as 0.05`)
  return compareTrials({
    names,
    matrix,
    clusters: options.clusters,
    family: options.pairs ? everyTwo(names) : toBaseline(names, options.baseline),
    level,
    correction: options.correction ?? 'max-t',
    draws: options.draws ?? 10_000,
    seed: options.seed ?? 0,
    better: options.better,
    range: options.range,
    margin: options.margin,
  })
}

const relevantIds =
  (grade: number) =>
  ({ ids, grades }: QueryGold) =>
    ids.filter((_, label) => grades[label] >= grade)

function toBaseline(names: readonly string[], wanted: string | undefined) {
  const baseline = wanted ?? names[0]
  if (!names.includes(baseline))
    throw new UserError(
      `there is no run \`${baseline}\`${didYouMean(baseline, names)}; there are ${names.join(', ')}`,
    )
  return names.filter((name) => name !== baseline).map((name) => ({ name, baseline }))
}

function everyTwo(names: readonly string[]) {
  if (names.length > 20)
    throw new UserError(`at most 20 runs are compared in pairs, not ${names.length}: name a baseline instead`)
  return names.flatMap((name, index) => names.slice(0, index).map((baseline) => ({ name, baseline })))
}
