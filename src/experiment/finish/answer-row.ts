import { ANSWER_MEASURES, type JudgedAnswer } from '../../answer/measures.ts'
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
  /** Values of measures and judges by query; NaN if the query does not count. */
  readonly values: Map<string, Float64Array>
  /** Reasons by judge and query; '' without one. */
  readonly reasons: Map<string, readonly string[]>
}

/** A row with the values of every measure that needs no model. */
export function measured(row: Pick<AnswerRow, 'answering' | 'trial' | 'answers'>): AnswerRow {
  const { answering, trial, answers } = row
  const values = ANSWER_MEASURES.map(
    ({ name, value }) => [name, Float64Array.from(answers, (answer) => value(answer))] as const,
  )
  return { answering, trial, answers, values: new Map(values), reasons: new Map() }
}

/** Cost and reliability of one judge. */
export interface Judged {
  readonly name: string
  readonly counters: Readonly<Record<string, number>>
  /** Answers without a verdict, and the reason. `row`: null for a labelled answer. */
  readonly failures: readonly {
    readonly row: AnswerRow | null
    readonly query: number
    readonly message: string
  }[]
  /** Scores of labelled answers with their labels; null without labelled answers. */
  readonly labelled: readonly { readonly value: number; readonly label: number }[] | null
}
