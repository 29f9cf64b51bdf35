import { ANSWER_MEASURES, type JudgedAnswer } from '../../answer/measures.ts'
import type { Answering } from '../../config/experiment.ts'

/** One query's answer in a row. */
export interface GivenAnswer extends JudgedAnswer {
  /** With citations. */
  readonly written: string
  /** Chunk of each passage; '' for evidence and for a document of several chunks. */
  readonly chunks: readonly string[]
  /** Tokens of the context. */
  readonly sent: number
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** NaN if a model has no known price. */
  readonly dollars: number
  /** As another system recorded. */
  readonly seconds?: number
  /** True if a server did not count tokens. */
  readonly estimated: boolean
  /** Completions cut at `maxTokens`. */
  readonly cut: number
  readonly failure: string | null
}

/** One answerer's answers over one trial, by query. */
export interface AnswerRow {
  readonly answering: Answering
  /** Index; null for closed-book answers. */
  readonly trial: number | null
  readonly answers: readonly GivenAnswer[]
  /** Keyed by measure or judge; by query, NaN if it does not count. */
  readonly values: Map<string, Float64Array>
  /** Keyed by judge; by query, '' without one. */
  readonly reasons: Map<string, readonly string[]>
}

/** Row with the measures that need no model. */
export function measured(row: Pick<AnswerRow, 'answering' | 'trial' | 'answers'>): AnswerRow {
  const { answering, trial, answers } = row
  const values = ANSWER_MEASURES.map(
    ({ name, value }) => [name, Float64Array.from(answers, (answer) => value(answer))] as const,
  )
  return { answering, trial, answers, values: new Map(values), reasons: new Map() }
}

export interface Judged {
  readonly name: string
  readonly counters: Readonly<Record<string, number>>
  /** Answers without a verdict. `row`: null for a labelled answer. */
  readonly failures: readonly {
    readonly row: AnswerRow | null
    readonly query: number
    readonly message: string
  }[]
  /** Null without labelled answers. */
  readonly labelled: readonly { readonly value: number; readonly label: number }[] | null
}
