import { AUTORAG } from './autorag.ts'
import type { Metric } from './define.ts'
import { iprecRaised } from './rank.ts'

/** Conventions of an evaluation tool. With them, scores can be compared with that tool's. */
export interface Dialect {
  readonly name: DialectName
  readonly summary: string
  /** Scores are float32: more ties. */
  readonly single: boolean
  /** A document whose id is the query's own is dropped before ranks are given. */
  readonly dropsSelf: boolean
  /** Judged queries that a run lacks are left out unless asked for; else they count as 0. */
  readonly presentOnly: boolean
  /** Queries that a run lacks enter a geometric mean after all others, which can move its last bit. */
  readonly absentLast: boolean
  /** A ranking may hold the same id several times, and each takes a rank. */
  readonly keepsRepeats: boolean
  /** Decimals that means are rounded to; null keeps every bit. */
  readonly decimals: number | null
  /** Metrics that mean something else here, by name; with `only`, no others exist. */
  readonly metrics: Readonly<Record<string, Metric['score']>>
  readonly only: boolean
}

export const DIALECT_NAMES = ['trec_eval-10', 'trec_eval-9', 'beir', 'hipporag', 'autorag'] as const
export type DialectName = (typeof DIALECT_NAMES)[number]

const PLAIN: Dialect = {
  name: 'trec_eval-10',
  summary: 'trec_eval 10: double scores',
  single: false,
  dropsSelf: false,
  presentOnly: false,
  absentLast: false,
  keepsRepeats: false,
  decimals: null,
  metrics: {},
  only: false,
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  'trec_eval-10': PLAIN,
  'trec_eval-9': {
    ...PLAIN,
    name: 'trec_eval-9',
    summary: 'trec_eval 9, pytrec_eval, MTEB: float32 scores',
    single: true,
    absentLast: true,
    metrics: { iprec: iprecRaised },
  },
  beir: {
    ...PLAIN,
    name: 'beir',
    summary:
      "BEIR: as trec_eval-9, without the query's own id and without queries that the run lacks, means to 5 decimals",
    single: true,
    absentLast: true,
    metrics: { iprec: iprecRaised },
    dropsSelf: true,
    presentOnly: true,
    decimals: 5,
  },
  hipporag: {
    ...PLAIN,
    name: 'hipporag',
    summary: 'HippoRAG: passages are their texts (`title\\ntext`), recall of sets, means to 4 decimals',
    keepsRepeats: true,
    decimals: 4,
  },
  autorag: {
    ...PLAIN,
    name: 'autorag',
    summary: 'AutoRAG: OR-groups of gold; recall, precision, mrr, map and ndcg by its formulas',
    metrics: AUTORAG,
    only: true,
  },
}
