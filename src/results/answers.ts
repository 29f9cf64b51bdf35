import type { ComparisonSummary, Estimate } from './compared.ts'

/** Answers to the questions, a row an answerer and a finalist; no trial was chosen by them. */
export interface AnswersSummary {
  /** The columns of `answers.parquet` that judge them, each a mean over the questions that count for it. */
  readonly measures: readonly { readonly name: string; readonly better: 'higher' | 'lower' }[]
  /** The one by which rows are compared. */
  readonly primary: string
  readonly rows: readonly AnsweredRow[]
  /** By answerer, whose row over the baseline trial is the baseline; null where there is nothing to compare. */
  readonly comparisons: Readonly<Record<string, ComparisonSummary | null>>
}

export interface AnsweredRow {
  /** As in the comparison. */
  readonly id: string
  /** The trial's id and name; null where nothing retrieved is read. */
  readonly trial: { readonly id: string; readonly name: string } | null
  readonly answerer: string
  readonly measures: Readonly<Record<string, Estimate>>
  /** Means a question: `sent` tokens of the context, calls of models and the tokens that they read and wrote. */
  readonly perQuery: Readonly<Record<'sent' | 'modelCalls' | 'inputTokens' | 'outputTokens', number>>
  /** Questions without an answer, and why the first of them has none. */
  readonly failed: number
  readonly failures: readonly { readonly query: string; readonly message: string }[]
}
