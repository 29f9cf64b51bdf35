/** Means per query of calls to models of known price. */
export interface CallCost {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly dollars: number
}

/** Price of a language model in dollars per million tokens. */
export interface PricingSummary {
  readonly model: string
  readonly input: number
  readonly output: number
  readonly date: string | null
  /** The vendor's page, or `the config`. */
  readonly source: string
  /** Mean tokens of a question with its instruction, without chunks and evidence. */
  readonly promptTokens: number
}
