import type { Ranking } from '../types.ts'

/** Some of the rows of a corpus, those that a filter keeps. */
export interface Mask {
  /** 1 for each row that passes the filter, else 0. */
  readonly kept: Uint8Array
  /** Rows that pass, ascending. */
  readonly rows: Uint32Array
}

export function maskOf(bytes: Uint8Array): Mask {
  const rows = new Uint32Array(bytes.reduce((sum, byte) => sum + byte, 0))
  let count = 0
  for (let row = 0; row < bytes.length; row++) if (bytes[row] === 1) rows[count++] = row
  return { kept: bytes, rows }
}

export function bothMasks(a: Mask, b: Mask): Mask {
  return maskOf(a.kept.map((byte, row) => byte & b.kept[row]))
}

type Entries = Pick<Ranking, 'rows' | 'scores'>

/** The entries whose row's byte in `bytes` is not 0, in their order; all where it is absent. */
export function keepWithin({ rows, scores }: Entries, bytes: Uint8Array | undefined): Entries {
  if (!bytes) return { rows, scores }
  const isKept = (_: number, i: number) => bytes[rows[i]] !== 0
  return { rows: rows.filter(isKept), scores: scores.filter(isKept) }
}

export function rowOutside(ranking: Ranking, { kept }: Mask): number | undefined {
  return ranking.rows.find((row) => kept[row] !== 1)
}

/** The first index from `begin` to `end` of ascending `rows` that holds `row` or a higher one; `end` where none does. */
export function lowerBound(rows: Uint32Array, row: number, begin = 0, end = rows.length): number {
  let low = begin
  let high = end
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle] < row) low = middle + 1
    else high = middle
  }
  return low
}
