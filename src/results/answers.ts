import type { ComparisonSummary, Estimate } from './compared.ts'

/** Answers to the questions: a row for each answerer and finalist. No trial was chosen by them. */
export interface AnswersSummary {
  /** Columns of `answers.parquet` that score answers; means over the questions that count. */
  readonly measures: readonly { readonly name: string; readonly better: 'higher' | 'lower' }[]
  /** Measures that a language model takes; absent without any. */
  readonly judges?: readonly JudgeSummary[]
  /** Measure that rows are compared by. */
  readonly primary: string
  readonly rows: readonly AnsweredRow[]
  /** Comparisons by answerer, each with its row over the baseline trial; null if there is nothing to compare. */
  readonly comparisons: Readonly<Record<string, ComparisonSummary | null>>
  /** The other answerers against the first, over the baseline trial. */
  readonly answerers?: ComparisonSummary
}

export interface AnsweredRow {
  readonly id: string
  /** Null for answers without retrieval. */
  readonly trial: { readonly id: string; readonly name: string } | null
  readonly answerer: string
  readonly measures: Readonly<Record<string, Estimate>>
  /** Means per question; `sent` are tokens of the context. */
  readonly perQuery: Readonly<Record<'sent' | 'modelCalls' | 'inputTokens' | 'outputTokens', number>>
  /** Dollars per question; absent if no row has any, null if a price is unknown. */
  readonly dollars?: number | null
  /** Mean recorded seconds; absent without any. */
  readonly seconds?: number
  /** Questions whose tokens are estimated: the server gave no plausible count. */
  readonly estimated: number
  /** Completions cut at `maxTokens`. */
  readonly cut: number
  /** Questions without an answer, with the first reasons. */
  readonly failed: number
  readonly failures: readonly { readonly query: string; readonly message: string }[]
}

export interface JudgeSummary {
  readonly name: string
  /** Calls for all rows and labels; a completion shared by two verdicts counts twice. */
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly estimated: number
  readonly cut: number
  /** Answers without a verdict, with the first reasons. They do not count. */
  readonly failed: number
  readonly failures: readonly { readonly query: string; readonly message: string }[]
  readonly agreement?: JudgeAgreement
}

/** Agreement of a judge with labels; 0.5 or more is yes. */
export interface JudgeAgreement {
  /** Labelled answers with a verdict. */
  readonly n: number
  /** Share with the same verdict. */
  readonly share: Estimate
  /** Cohen's kappa; null if both are constant. */
  readonly kappa: number | null
}
