import { rankScores } from '../../ranking/order.ts'

/**
 * Whether the order of the `depth` best of `scores` is final, when score u may be off by `bound` x `strengths[u]`.
 * Returns infinity where it is, else the bound that the first open pair would need: 0 for a tie.
 *
 * Row i stands where it stands if its lowest possible score is above the highest possible score of every row behind
 * it. Rows without edges are exact, so their ties are decided by row, as everywhere.
 */
export function boundNeeded(
  scores: Float64Array,
  strengths: Float64Array,
  bound: number,
  depth: number,
): number {
  const { rows } = rankScores(scores, depth)
  const ahead = new Uint8Array(scores.length)
  for (const row of rows) ahead[row] = 1
  let rival = -1
  let highest = Number.NEGATIVE_INFINITY
  const challenge = (row: number) => {
    const high = scores[row] + bound * strengths[row]
    if (high <= highest) return
    highest = high
    rival = row
  }
  for (let row = 0; row < scores.length; row++) if (!ahead[row]) challenge(row)
  for (let place = rows.length - 1; place >= 0; place--) {
    const row = rows[place]
    const open = strengths[row] + (rival < 0 ? 0 : strengths[rival])
    if (open > 0 && scores[row] - bound * strengths[row] <= highest)
      return Math.max(0, (scores[row] - scores[rival]) / open)
    challenge(row)
  }
  return Number.POSITIVE_INFINITY
}
