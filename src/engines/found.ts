import { UserError } from '../errors.ts'
import type { Mask } from '../ranking/mask.ts'
import { rankPairs } from '../ranking/order.ts'
import type { Ranking } from '../types.ts'

/** A number of an engine's answer; NaN for anything else, as for the null that JSON has in place of NaN. */
export function numberIn(value: unknown): number {
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
}

/**
 * Ranking of what an engine found, best `depth`. Throws a UserError if a row is no row, occurs twice or is not in `within`, and
 * if a score is not a finite number: a ranking of these would be wrong without a word.
 */
export function rankFound(
  who: string,
  rows: readonly number[],
  scores: readonly number[],
  depth: number,
  within?: Mask,
): Ranking {
  const seen = new Set<number>()
  for (const [place, row] of rows.entries()) {
    const fail = (problem: string) => new UserError(`${who} returned ${problem}`)
    if (!Number.isInteger(row) || row < 0) throw fail(`${row} in place of a chunk's row`)
    if (seen.has(row)) throw fail(`the chunk of row ${row} twice in one ranking`)
    seen.add(row)
    if (within && !(within.kept[row] > 0))
      throw fail(`the chunk of row ${row}, which the filter of the request leaves out`)
    if (!Number.isFinite(scores[place])) throw fail(`the score ${scores[place]} for the chunk of row ${row}`)
  }
  return rankPairs(rows, scores, depth)
}
