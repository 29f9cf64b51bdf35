import type { ComparisonSummary, Estimate } from './compared.ts'

/** Answers to the questions, a row an answerer and a finalist; no trial was chosen by them. */
export interface AnswersSummary {
  /** The columns of `answers.parquet` that judge them, each a mean over the questions that count for it. */
  readonly measures: readonly { readonly name: string; readonly better: 'higher' | 'lower' }[]
  /** Those of the measures that a model takes, and what is to be known of them; absent where there are none. */
  readonly judges?: readonly JudgeSummary[]
  /** The one by which rows are compared. */
  readonly primary: string
  readonly rows: readonly AnsweredRow[]
  /** Comparisons by answerer, each with its row over the baseline trial; null if there is nothing to compare. */
  readonly comparisons: Readonly<Record<string, ComparisonSummary | null>>
  /** Comparison of the other answerers with the first one, all over the baseline trial; absent if there is nothing to compare. */
  readonly answerers?: ComparisonSummary
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
  /** Mean dollars a question; absent if no row has any, null if a price is not known. */
  readonly dollars?: number | null
  /** Mean seconds of the answers with a recorded time; absent if there are none. */
  readonly seconds?: number
  /** Questions with estimated tokens, since the server gave no plausible count. */
  readonly estimated: number
  /** Completions that were cut at `maxTokens`. */
  readonly cut: number
  /** Questions without an answer, and why the first of them has none. */
  readonly failed: number
  readonly failures: readonly { readonly query: string; readonly message: string }[]
}

export interface JudgeSummary {
  /** The measure's. */
  readonly name: string
  /** Calls behind its verdicts on all rows and labels; a completion shared by two verdicts counts for both. */
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Calls with estimated tokens. */
  readonly estimated: number
  /** Calls that were cut at `maxTokens`. */
  readonly cut: number
  /** Answers without a verdict, which do not count, and why the first of them have none. */
  readonly failed: number
  readonly failures: readonly { readonly query: string; readonly message: string }[]
  /** Agreement with human labels; absent without labels. */
  readonly agreement?: JudgeAgreement
}

/** Yes is a half or more, of verdict and of label. */
export interface JudgeAgreement {
  /** Labelled answers that the judge gave a verdict on. */
  readonly n: number
  /** The share on which both say the same. */
  readonly share: Estimate
  /** Cohen's; null where both say the same throughout. */
  readonly kappa: number | null
}
