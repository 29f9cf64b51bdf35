import { DIALECTS, type DialectName } from '../metrics/dialects.ts'
import { scoreRankings as score } from '../metrics/score-run.ts'
import { askedMeasures } from '../metrics/trec-names.ts'
import { type QrelsInput, type RetrievedRun, readQrelsInput, readRetrieved } from './judged.ts'
import { requireLabels } from './measures.ts'

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
  const asked = askedMeasures(measures)
  requireLabels(asked)
  const gold = await readQrelsInput(qrels)
  const { queries } = await readRetrieved(run, 'run', dialect.keepsRepeats)
  const scored = score({
    gold,
    run: queries,
    dialect,
    ...options,
    measures: asked.map(({ measure }) => measure),
  })
  const named = (value: (index: number) => number) =>
    Object.fromEntries(asked.map(({ label }, index) => [label, value(index)]))
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
