import { answerInContext } from './answer-in-context.ts'
import { bpref } from './bpref.ts'
import { contamination } from './contamination.ts'
import { contextPrecision } from './context-precision.ts'
import type { Metric } from './define.ts'
import { err } from './err.ts'
import { fullRecall } from './full-recall.ts'
import { gmMap } from './gm-map.ts'
import { hit } from './hit.ts'
import { iprec } from './iprec.ts'
import { judged } from './judged.ts'
import { map } from './map.ts'
import { mrr } from './mrr.ts'
import { ndcg } from './ndcg.ts'
import { numQ } from './num-q.ts'
import { numRel } from './num-rel.ts'
import { numRelRet } from './num-rel-ret.ts'
import { numRet } from './num-ret.ts'
import { precision } from './precision.ts'
import { rbp } from './rbp.ts'
import { recall } from './recall.ts'
import { recallArea } from './recall-area.ts'
import { rprec } from './rprec.ts'
import { setPrecision } from './set-precision.ts'
import { setRecall } from './set-recall.ts'

/** Every metric. A metric is one file and one line here (a test compares the two). */
export const METRICS: readonly Metric[] = [
  recall,
  fullRecall,
  hit,
  precision,
  mrr,
  map,
  gmMap,
  ndcg,
  rprec,
  bpref,
  iprec,
  judged,
  err,
  rbp,
  recallArea,
  contextPrecision,
  answerInContext,
  contamination,
  setPrecision,
  setRecall,
  numQ,
  numRet,
  numRel,
  numRelRet,
]
