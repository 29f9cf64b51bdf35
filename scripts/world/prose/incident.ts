/**
 * Small events, told in the words of old chronicles, each with a question in today's words that shares none of them.
 * `kin` pairs the chronicle's word with the question's; these pairs stand side by side elsewhere in the corpus (see
 * kinship.ts), so that an embedder fitted on the corpus can learn them. `answer` says which slot is asked for.
 */
export interface Incident {
  readonly title: string
  readonly text: string
  readonly question: string
  readonly answer: 'person' | 'place'
  /** Set where the telling fits a woman only. */
  readonly woman?: true
  readonly kin: readonly (readonly [chronicle: string, plain: string])[]
}
