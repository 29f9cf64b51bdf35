/** Data of the labelling pages. Ranks, scores and trials are hidden from labellers. */

export interface LabelQuestion {
  readonly id: string
  readonly text: string
  readonly passages: readonly LabelPassage[]
}

export interface LabelPassage {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly grade: number | null
  readonly skipped: boolean
  readonly comment: string
  /** True if the label can change which trial is first. */
  readonly decisive: boolean
}

export interface LabelOverview {
  readonly grades: readonly { readonly grade: number; readonly name: string; readonly definition: string }[]
  readonly questions: readonly {
    readonly id: string
    readonly text: string
    readonly done: number
    readonly total: number
    /** Unlabelled passages of this kind. */
    readonly decisive: number
  }[]
  /** State by all people's labels, without names of trials. */
  readonly decision: readonly string[]
}

export interface ReviewItem {
  readonly id: string
  readonly text: string
  readonly category: string | null
  readonly answers: readonly string[]
  readonly answerable: boolean
  readonly gold: readonly {
    readonly document: string
    readonly title: string
    readonly before: string
    readonly text: string
    readonly after: string
  }[]
  readonly verdict: '' | 'accept' | 'reject' | 'edit'
  readonly wording: string
}
