import type { TermCounts } from '../../text/term-counts.ts'

/**
 * Postings, and what searches of any weighting over them share: where long lists hold a row, and a scratch that every
 * search leaves cleared. A grid over k1 and b holds all this once.
 */
export interface Postings {
  /** Over fields they are no whole numbers. */
  readonly counts: Omit<TermCounts, 'counts'> & {
    readonly counts: Frequencies
  }
  /** Where a long list holds its rows; undefined for a short list, which costs little to walk through. */
  bitmap(term: number): Bitmap | undefined
  readonly scratch: Scratch
}

/**
 * Of each 32 rows two numbers: a bit for each row that holds the term, and where the first of them stands among the
 * postings. Takes a quarter of a byte a chunk, so never more than the list itself.
 */
type Bitmap = Int32Array

/** The chunks that a search has met, each in a slot. All arrays but `slots` hold what the last search left. */
export interface Scratch {
  /** By row: its slot plus 1; 0 where it was not met. */
  readonly slots: Uint32Array
  /** By slot. */
  readonly rows: Uint32Array
  readonly sums: Float64Array
  /** Slots that a search still considers. */
  readonly kept: Uint32Array
  /** By slot and place in the query: how often the chunk holds the term. Made longer by whom it does not suffice. */
  tfs: Frequencies
}

export type Frequencies = Uint32Array | Float64Array

/** A list is long if at least one chunk of so many is in it. */
const LONG = 32

export function createPostings(counts: Postings['counts']): Postings {
  const { offsets, rows } = counts
  const chunks = counts.lengths.length
  const bitmaps = new Map<number, Bitmap>()

  return {
    counts,
    bitmap(term) {
      const [begin, end] = [offsets[term], offsets[term + 1]]
      if ((end - begin) * LONG < chunks) return undefined
      const known = bitmaps.get(term)
      if (known) return known
      const bitmap = new Int32Array(2 * ((chunks >>> 5) + 1))
      // Backwards, so that the first of each 32 is the last one written.
      for (let at = end - 1; at >= begin; at--) {
        const index = 2 * (rows[at] >>> 5)
        bitmap[index] |= 1 << (rows[at] & 31)
        bitmap[index + 1] = at
      }
      bitmaps.set(term, bitmap)
      return bitmap
    },
    scratch: {
      slots: new Uint32Array(chunks),
      rows: new Uint32Array(chunks),
      sums: new Float64Array(chunks),
      kept: new Uint32Array(chunks),
      tfs: counts.counts.slice(0, 0),
    },
  }
}

/** Where a row stands among the postings; -1 where the list does not hold it. */
export function placeIn(bitmap: Bitmap, row: number): number {
  const word = bitmap[2 * (row >>> 5)]
  const bit = 1 << (row & 31)
  return (word & bit) === 0 ? -1 : bitmap[2 * (row >>> 5) + 1] + ones(word & (bit - 1))
}

/** How many bits of 32 are set (Warren, Hacker's Delight, 2002). */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
