import type { Verdict } from '../statistics/compare.ts'

/**
 * Significance letters of papers: a row's mean is followed by the letters of the rows that it beats under the
 * family's correction. Only beaten rows have a letter.
 */
export interface Lettered {
  /** '' for an unbeaten row, or after 25 letters. */
  readonly letter: string
  /** Letters of the rows that this one beats. */
  readonly beats: string
}

const LETTERS = 'abcdefghijklmnoprstuvwxyz'

interface LetteredOutcome {
  readonly id: string
  readonly baseline: string
  readonly verdict: Verdict
}

/** Letters by id. `order` has all ids, best first. Baselines get letters first. Untested ids have no entry. */
export function significanceLetters(
  order: readonly string[],
  outcomes: readonly LetteredOutcome[],
): ReadonlyMap<string, Lettered> {
  const beaten = outcomes.flatMap(({ id, baseline, verdict }) =>
    verdict === 'better' ? [[id, baseline]] : verdict === 'worse' ? [[baseline, id]] : [],
  )
  const losers = new Set(beaten.map(([, loser]) => loser))
  const baselines = new Set(outcomes.map(({ baseline }) => baseline))
  const wanted = order.filter((id) => losers.has(id))
  const first = wanted.filter((id) => baselines.has(id)).slice(0, LETTERS.length)
  const others = wanted.filter((id) => !first.includes(id)).slice(0, LETTERS.length - first.length)
  const lettered = new Set([...first, ...others])
  const letters = new Map(wanted.filter((id) => lettered.has(id)).map((id, index) => [id, LETTERS[index]]))
  const beats = (id: string) =>
    beaten.flatMap(([winner, loser]) => (winner === id ? (letters.get(loser) ?? []) : []))
  const compared = new Set(outcomes.flatMap(({ id, baseline }) => [id, baseline]))
  return new Map(
    order
      .filter((id) => compared.has(id))
      .map((id) => [id, { letter: letters.get(id) ?? '', beats: beats(id).sort().join('') }]),
  )
}
