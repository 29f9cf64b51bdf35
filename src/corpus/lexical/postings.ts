import type { TermCounts } from '../../text/term-counts.ts'
import type { DenseSums } from './dense-sums.ts'

/**
 * Postings with the bitmaps and the scratch memory that searches of all weightings share. A grid over k1 and b keeps this
 * in memory once.
 */
export interface Postings {
  /** Fractions if fields are weighted. */
  readonly counts: Omit<TermCounts, 'counts'> & { readonly counts: Frequencies }
  /** Bitmap of a long list; undefined for a short list, which is cheap to scan. */
  bitmap(term: number): Bitmap | undefined
  readonly scratch: Scratch
}

/**
 * Two numbers for each 32 rows: a bit per row that contains the term, and the position of the first of them in the
 * postings. A bitmap takes a quarter of a byte per chunk, never more than the list itself.
 */
type Bitmap = Int32Array

/** Chunks that a search has met, each in a slot. Only `slots` is cleared between searches. */
export interface Scratch {
  /** Slot plus 1 by row; 0 if the row was not met. */
  readonly slots: Uint32Array
  /** Rows and sums by slot. */
  readonly rows: Uint32Array
  readonly sums: Float64Array
  /** Slots that a search still considers. */
  readonly kept: Uint32Array
  /**
   * Term frequencies by slot and position in the query. A search that needs more replaces the array by a longer one.
   */
  tfs: Frequencies
  /** Sums over all rows; made for the first query of many terms. */
  dense?: DenseSums
}

export type Frequencies = Uint32Array | Float64Array

/** A list is long if at least one chunk in `LONG` is in it. */
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

/** Position of a row in the postings; -1 if the list does not contain it. */
export function placeIn(bitmap: Bitmap, row: number): number {
  const word = bitmap[2 * (row >>> 5)]
  const bit = 1 << (row & 31)
  return (word & bit) === 0 ? -1 : bitmap[2 * (row >>> 5) + 1] + ones(word & (bit - 1))
}

/** Number of set bits of 32 (Warren, Hacker's Delight, 2002). */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
