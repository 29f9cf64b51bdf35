/** Answers of several trials to a question, for terminal and page. */
export interface AskedTrials {
  readonly question: string
  /** Id of the dataset's question with this text; null for a new question. */
  readonly id: string | null
  /** Passages that a trial ranked, each once, in order of their best rank. */
  readonly passages: readonly AskedPassage[]
  readonly trials: readonly AskedTrial[]
}

export interface AskedPassage {
  /** Id of its chunk. */
  readonly id: string
  readonly document: string
  readonly title: string
  readonly text: string
  /** o200k tokens of title and text. */
  readonly tokens: number
  readonly words: readonly string[]
}

export interface AskedTrial {
  readonly trial: string
  /** Reason why the trial gave no ranking; null if it gave one. */
  readonly failed: string | null
  readonly milliseconds: number
  readonly tokens: number
  readonly steps: readonly { readonly step: string; readonly milliseconds: number }[]
  readonly counters: Readonly<Record<string, number>>
  readonly notes: readonly (readonly [name: string, text: string])[]
  readonly hits: readonly AskedHit[]
}

export interface AskedHit {
  /** Place in `passages`. */
  readonly passage: number
  readonly score: number
  readonly mark: string | null
  /** Rank in the first trial; null if it lacks the passage. Absent for the first trial. */
  readonly first?: number | null
  /** After each ranking step that ranked the passage. */
  readonly ranked: readonly { readonly step: string; readonly rank: number; readonly score: number }[]
}

/** Change of a rank from the first trial's: `▲2`, `▼1`, `=`, `new`; '' for the first trial. */
export function changeOf({ first }: AskedHit, rank: number): string {
  if (first === undefined) return ''
  if (first === null) return 'new'
  if (first === rank) return '='
  return first > rank ? `▲${first - rank}` : `▼${rank - first}`
}
