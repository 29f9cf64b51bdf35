/** o200k tokens of an entity's and a relationship's text in a context, by row. */
export interface EvidenceSizes {
  readonly entity: (row: number) => number
  readonly relationship: (row: number) => number
}
