/**
 * How often each term stands in each text, as postings: the texts that hold term `t` are
 * `rows[offsets[t]] .. rows[offsets[t + 1] - 1]`, ascending, each `counts` times. Terms are numbered in the order in
 * which they first occur.
 */
export interface TermCounts {
  readonly terms: readonly string[]
  /** `terms.length + 1` long. */
  readonly offsets: Uint32Array
  readonly rows: Uint32Array
  readonly counts: Uint32Array
  /** Tokens of each text. */
  readonly lengths: Uint32Array
}

/** Counts the tokens that `analyze` finds in each text. */
export function countTerms(
  texts: readonly string[],
  analyze: (text: string) => readonly string[],
): TermCounts {
  const numbers = new Map<string, number>()
  const postings: { rows: number[]; counts: number[] }[] = []
  const lengths = new Uint32Array(texts.length)
  texts.forEach((text, row) => {
    const tokens = analyze(text)
    lengths[row] = tokens.length
    for (const token of tokens) {
      let number = numbers.get(token)
      if (number === undefined) {
        number = numbers.size
        numbers.set(token, number)
        postings.push({ rows: [], counts: [] })
      }
      const { rows, counts } = postings[number]
      if (rows[rows.length - 1] === row) counts[counts.length - 1]++
      else {
        rows.push(row)
        counts.push(1)
      }
    }
  })
  const offsets = new Uint32Array(postings.length + 1)
  postings.forEach((posting, term) => {
    offsets[term + 1] = offsets[term] + posting.rows.length
  })
  const rows = new Uint32Array(offsets[postings.length])
  const counts = new Uint32Array(rows.length)
  postings.forEach((posting, term) => {
    rows.set(posting.rows, offsets[term])
    counts.set(posting.counts, offsets[term])
  })
  return { terms: [...numbers.keys()], offsets, rows, counts, lengths }
}
