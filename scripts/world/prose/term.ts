/**
 * Words of this coast: each is explained in one passage (`meaning`) and used, unexplained, in others. Half of the
 * questions give the word and ask what it means, half give the meaning in other words and ask for the word.
 */
export interface Term {
  readonly term: string
  readonly title: string
  readonly meaning: string
  readonly answer: string
  readonly question: string
  readonly uses: readonly string[]
  /** A passage about the thing that does not say what it is. */
  readonly decoy?: { readonly title: string; readonly text: string }
}
