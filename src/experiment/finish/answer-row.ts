import type { JudgedAnswer } from '../../answer/measures/define.ts'
import type { Answering } from '../../config/experiment.ts'

/** One question's answer in one row. */
export interface GivenAnswer extends JudgedAnswer {
  /** As it was written. */
  readonly written: string
  /** Tokens of the context. */
  readonly sent: number
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** True if tokens are estimated, as a server did not count them. */
  readonly estimated: boolean
  /** Completions that were cut at `maxTokens`. */
  readonly cut: number
  /** Why there is none; null where there is. */
  readonly failure: string | null
}

/** What one answerer made of what one trial retrieves, question after question. */
export interface AnswerRow {
  readonly answering: Answering
  /** Its place among the trials; null where nothing retrieved is read. */
  readonly trial: number | null
  readonly answers: readonly GivenAnswer[]
}
