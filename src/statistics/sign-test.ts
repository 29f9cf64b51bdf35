import { coinTail } from './distributions.ts'

/** Numbers of differences above, at and below 0. */
export interface SignCounts {
  readonly wins: number
  readonly ties: number
  readonly losses: number
}

export function countSigns(differences: ArrayLike<number>): SignCounts {
  let wins = 0
  let losses = 0
  for (let index = 0; index < differences.length; index++) {
    if (differences[index] > 0) wins++
    else if (differences[index] < 0) losses++
  }
  return { wins, ties: differences.length - wins - losses, losses }
}

/** Two-sided sign test: ties are left out, wins are tosses of a fair coin. 1 where all are ties. */
export function signTest({ wins, losses }: SignCounts): number {
  return Math.min(1, 2 * coinTail(Math.max(wins, losses), wins + losses))
}
