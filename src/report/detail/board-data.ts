/** A row of the page's leaderboard: texts as they are shown, values to sort by. */
export interface BoardRow {
  readonly id: string
  /** Index in the summary's trials, of a tuned strategy that of the trial which tuning chose most often; -1 over several datasets. */
  readonly trial: number
  readonly name: string
  readonly strategy: string
  readonly hue: number
  readonly shape: string
  readonly baseline: boolean
  readonly letter: string
  readonly beats: string
  readonly mean: number | null
  readonly low: number | null
  readonly high: number | null
  readonly text: string
  readonly difference: {
    readonly value: number
    readonly text: string
    readonly verdict: string
    readonly title: string
  } | null
  /** Text in place of a difference. */
  readonly untested: string
  /** Cells of the columns, in their order. */
  readonly texts: readonly string[]
  readonly values: readonly (number | null)[]
  /** Means of the primary measure by category. */
  readonly categories: readonly (number | null)[]
}

export interface BoardData {
  readonly primary: string
  /** All strategies; a place here numbers the description of one. */
  readonly strategies: readonly string[]
  readonly tuned: boolean
  readonly columns: readonly { readonly head: string; readonly title: string }[]
  readonly categories: readonly string[]
  /** Number of categories that the dataset has; `categories` are the first of them. */
  readonly allCategories: number
  /** Number of rows that the page leaves out. */
  readonly leftOut: number
  /** Rows that are ranked, and the trials from which tuning selected. */
  readonly ranked: readonly BoardRow[]
  readonly seen: readonly BoardRow[]
}
