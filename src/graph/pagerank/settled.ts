import { rankScores } from '../../ranking/order.ts'
import type { Ranking } from '../../types.ts'

/** Rows that may be among the best, ascending, and what is known of each. */
export interface Candidates {
  readonly rows: Uint32Array
  readonly scores: Float64Array
  /** How far a score may be off, in terms of the bound. */
  readonly slack: Float64Array
  /** Candidates of one kind have exactly the same score and slack, whatever these are yet. */
  readonly kinds: Uint32Array
}

/** How the candidates stand when score i may be off by `bound` x `slack[i]`. */
export interface Standing {
  /** The `depth` best as they are now; its rows are places among the candidates. */
  readonly best: Ranking
  /** Infinity where their order is final, else the bound that the first open pair would need: 0 for a tie. */
  readonly needed: number
}

/**
 * Row i stands where it stands if its lowest possible score is above the highest possible score of every row behind
 * it. Ties of one kind, and of rows whose slack is 0, are decided by row, as everywhere.
 */
export function standing({ scores, slack, kinds }: Candidates, bound: number, depth: number): Standing {
  const best = rankScores(scores, depth)
  const ahead = new Uint8Array(scores.length)
  for (const i of best.rows) ahead[i] = 1
  // The highest behind, and the highest of another kind.
  let rival = -1
  let highest = Number.NEGATIVE_INFINITY
  let other = -1
  let otherHighest = Number.NEGATIVE_INFINITY
  const challenge = (i: number) => {
    const high = scores[i] + bound * slack[i]
    if (high <= otherHighest || (rival >= 0 && kinds[i] === kinds[rival])) return
    if (high > highest) {
      other = rival
      otherHighest = highest
      rival = i
      highest = high
    } else {
      other = i
      otherHighest = high
    }
  }
  for (let i = 0; i < scores.length; i++) if (!ahead[i]) challenge(i)
  for (let place = best.rows.length - 1; place >= 0; place--) {
    const i = best.rows[place]
    const alike = rival >= 0 && kinds[i] === kinds[rival]
    const against = alike ? other : rival
    const open = slack[i] + (against < 0 ? 0 : slack[against])
    if (open > 0 && scores[i] - bound * slack[i] <= (alike ? otherHighest : highest))
      return { best, needed: Math.max(0, (scores[i] - scores[against]) / open) }
    challenge(i)
  }
  return { best, needed: Number.POSITIVE_INFINITY }
}
