/**
 * Term frequencies as postings: term `t` is in the texts `rows[offsets[t]] .. rows[offsets[t + 1] - 1]`, ascending, each `counts`
 * times. Terms are numbered as they first occur.
 */
export interface TermCounts {
  readonly terms: readonly string[]
  /** `terms.length + 1` long. */
  readonly offsets: Uint32Array
  readonly rows: Uint32Array
  readonly counts: Uint32Array
  /** Words of each text. */
  readonly lengths: Uint32Array
}

/** Texts with their tokens in one array. */
const BLOCK = 4096

/** Counts the tokens of each text, and those of `second`, which make no text longer. */
export function countTerms(
  texts: readonly string[],
  analyze: (text: string) => readonly string[],
  second?: (text: string) => readonly string[],
): TermCounts {
  const numbers = new Map<string, number>()
  const lengths = new Uint32Array(texts.length)
  const sizes = second ? new Uint32Array(texts.length) : lengths
  const blocks: Uint32Array[] = []
  for (let begin = 0; begin < texts.length; begin += BLOCK) {
    const block: number[] = []
    for (let row = begin; row < Math.min(begin + BLOCK, texts.length); row++) {
      const words = analyze(texts[row])
      const tokens = second ? [...words, ...second(texts[row])] : words
      lengths[row] = words.length
      sizes[row] = tokens.length
      for (const token of tokens) {
        let term = numbers.get(token)
        if (term === undefined) {
          term = numbers.size
          numbers.set(token, term)
        }
        block.push(term)
      }
    }
    blocks.push(Uint32Array.from(block))
  }
  const offsets = new Uint32Array(numbers.size + 1)
  eachToken(blocks, sizes, numbers.size, (term, _row, first) => {
    if (first) offsets[term + 1]++
  })
  for (let term = 0; term < numbers.size; term++) offsets[term + 1] += offsets[term]
  const ends = offsets.slice(0, numbers.size)
  const rows = new Uint32Array(offsets[numbers.size])
  const counts = new Uint32Array(rows.length)
  eachToken(blocks, sizes, numbers.size, (term, row, first) => {
    if (first) rows[ends[term]++] = row
    counts[ends[term] - 1]++
  })
  return { terms: [...numbers.keys()], offsets, rows, counts, lengths }
}

/** Every token as (term, row), in order; `first` where no token before it in its text is of the same term. */
function eachToken(
  blocks: readonly Uint32Array[],
  sizes: Uint32Array,
  terms: number,
  take: (term: number, row: number, first: boolean) => void,
): void {
  // The last row that contained each term, plus 1.
  const last = new Uint32Array(terms)
  let row = 0
  let left = sizes[0]
  for (const block of blocks)
    for (const term of block) {
      while (left === 0) left = sizes[++row]
      left--
      take(term, row, last[term] !== row + 1)
      last[term] = row + 1
    }
}

/** Counts of some texts (`chosen`, ascending), numbered from 0, without terms that none of them has. */
export function countsOfTexts(counts: TermCounts, chosen: Uint32Array): TermCounts {
  const indexes = new Int32Array(counts.lengths.length).fill(-1)
  chosen.forEach((row, index) => {
    indexes[row] = index
  })
  const rows = new Uint32Array(counts.rows.length)
  const times = new Uint32Array(counts.rows.length)
  const terms: string[] = []
  const offsets: number[] = [0]
  let end = 0
  counts.terms.forEach((term, number) => {
    const begin = end
    for (let at = counts.offsets[number]; at < counts.offsets[number + 1]; at++) {
      const index = indexes[counts.rows[at]]
      if (index < 0) continue
      rows[end] = index
      times[end++] = counts.counts[at]
    }
    if (end === begin) return
    terms.push(term)
    offsets.push(end)
  })
  const lengths = Uint32Array.from(chosen, (row) => counts.lengths[row])
  return {
    terms,
    offsets: Uint32Array.from(offsets),
    rows: rows.slice(0, end),
    counts: times.slice(0, end),
    lengths,
  }
}
