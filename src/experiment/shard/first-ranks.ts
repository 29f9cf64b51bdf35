import type { Ranking } from '../../types.ts'

/** Ranks stored per ranking; gold has its rank anyway. */
export const KEPT_RANKS = 20

/** `ranks` places per ranking, of which `counts[ranking]` are used. */
export interface FirstRanks {
  readonly ranks: number
  readonly counts: Uint8Array
  readonly rows: Uint32Array
  readonly scores: Float64Array
}

export function createFirstRanks(rankings: number, depth: number): FirstRanks {
  const ranks = Math.min(KEPT_RANKS, depth)
  return {
    ranks,
    counts: new Uint8Array(rankings),
    rows: new Uint32Array(rankings * ranks),
    scores: new Float64Array(rankings * ranks),
  }
}

export function holdFirstRanks(first: FirstRanks, at: number, ranking: Ranking): void {
  const { rows, scores } = ranking
  const held = Math.min(first.ranks, rows.length)
  first.counts[at] = held
  for (let rank = 0; rank < held; rank++) {
    first.rows[at * first.ranks + rank] = rows[rank]
    first.scores[at * first.ranks + rank] = scores[rank]
  }
}

/** Null without marks. */
export function firstMarks(
  first: FirstRanks,
  at: number,
  marks: ReadonlyMap<number, string>,
): Record<number, string> | null {
  const held = first.rows.subarray(at * first.ranks, at * first.ranks + first.counts[at])
  const said = [...held].flatMap((row) => (marks.has(row) ? [[row, marks.get(row)]] : []))
  return said.length > 0 ? Object.fromEntries(said) : null
}
