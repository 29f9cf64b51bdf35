/** An answer and the labels of its query. */
export interface JudgedAnswer {
  /** Without citations. */
  readonly text: string
  readonly refused: boolean
  /** Numbers of the passages that it cites, from 1. */
  readonly cited: readonly number[]
  /** Citations of passages that there are not. */
  readonly wrong: number
  /** The texts that were sent. */
  readonly passages: readonly string[]
  /** True for each passage that holds gold; null if the query has none. */
  readonly gold: readonly boolean[] | null
  /** Right answers; any of them will do. */
  readonly references: readonly string[]
  /** Statements that support the answer; absent if the dataset has none. */
  readonly evidence?: readonly string[]
  readonly answerable: boolean
}

/** A mean over questions, each from 0 to 1. */
export interface AnswerMeasure {
  readonly name: string
  /** One line, for the docs. */
  readonly summary: string
  readonly source: string
  readonly better: 'higher' | 'lower'
  /** Value of the measure; NaN if the query does not count. */
  value(answer: JudgedAnswer): number
}
