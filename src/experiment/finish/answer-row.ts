import type { JudgedAnswer } from '../../answer/measures.ts'
import type { Answering } from '../../config/experiment.ts'

/** One query's answer in one row. */
export interface GivenAnswer extends JudgedAnswer {
  /** Text of the answer, with citations. */
  readonly written: string
  /** Chunk of each passage that was sent; '' for evidence and for a document of several chunks. */
  readonly chunks: readonly string[]
  /** Tokens of the context. */
  readonly sent: number
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Dollars of its calls; NaN if a model that was asked has no known price. */
  readonly dollars: number
  /** Seconds that another system recorded; absent for our own answers. */
  readonly seconds?: number
  /** True if tokens are estimated, as a server did not count them. */
  readonly estimated: boolean
  /** Completions that were cut at `maxTokens`. */
  readonly cut: number
  /** Reason for a missing answer; null if there is one. */
  readonly failure: string | null
}

/** Answers of one answerer over one trial's rankings, by query. */
export interface AnswerRow {
  readonly answering: Answering
  /** Index of the trial; null if the answerer reads no ranking. */
  readonly trial: number | null
  readonly answers: readonly GivenAnswer[]
}
