/** Data of the pages that label, shared with their script. Nothing in it tells a labeller ranks, scores or trials. */

export interface LabelQuestion {
  readonly id: string
  readonly text: string
  readonly passages: readonly LabelPassage[]
}

interface LabelPassage {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly grade: number | null
  readonly skipped: boolean
  readonly comment: string
  /** True if the label can still change which trial is first. */
  readonly decisive: boolean
}

export interface LabelOverview {
  readonly grades: readonly { readonly grade: number; readonly name: string; readonly definition: string }[]
  readonly questions: readonly {
    readonly id: string
    readonly text: string
    readonly done: number
    readonly total: number
    /** Unlabelled passages that can still change which trial is first. */
    readonly decisive: number
  }[]
  /** State of the decision by all people's labels, without names of trials. */
  readonly decision: readonly string[]
}

export interface ReviewItem {
  readonly id: string
  readonly text: string
  readonly category: string | null
  readonly answers: readonly string[]
  readonly answerable: boolean
  /** Gold with the text around it. */
  readonly gold: readonly {
    readonly document: string
    readonly title: string
    readonly before: string
    readonly text: string
    readonly after: string
  }[]
  /** This labeller's review; '' without one. */
  readonly verdict: '' | 'accept' | 'reject' | 'edit'
  /** Wording after an edit. */
  readonly wording: string
}
