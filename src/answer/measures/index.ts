import type { AnswerMeasure } from './define.ts'
import { exactMatch, f1, rougeL } from './overlap.ts'
import {
  citationPrecision,
  citationRecall,
  grounded,
  inContext,
  refusedRightly,
  refusedWrongly,
} from './support.ts'

/** Every measure of answers, in the order of the tables. */
export const ANSWER_MEASURES: readonly AnswerMeasure[] = [
  exactMatch,
  f1,
  rougeL,
  inContext,
  grounded,
  citationPrecision,
  citationRecall,
  refusedRightly,
  refusedWrongly,
]
