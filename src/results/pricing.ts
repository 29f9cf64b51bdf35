/** Mean a query: a trial's calls to models of known price, each at its own. */
export interface CallCost {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly dollars: number
}

/** A language model's price, in dollars per million tokens, and the mean tokens of a query's own prompt. */
export interface PricingSummary {
  readonly model: string
  readonly input: number
  readonly output: number
  readonly date: string | null
  /** The vendor's own page, or `the config`. */
  readonly source: string
  /** The question and the instruction around it; chunks and evidence come on top. */
  readonly promptTokens: number
}
