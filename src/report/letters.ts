import type { Verdict } from '../statistics/comparison.ts'

/**
 * Significance letters, as papers print them: after a row's mean come the letters of the rows that it beats under the
 * family's correction. A row has a letter only if another one beats it, so each letter refers to a test that was made.
 */
export interface Lettered {
  /** '' where no row beats this one, or where there were more such rows than letters. */
  readonly letter: string
  /** Letters of the rows that this one beats, in their order; '' for none. */
  readonly beats: string
}

/** Without q, the only one that has no raised form. */
const LETTERS = 'abcdefghijklmnoprstuvwxyz'
const RAISED = 'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ'

/** A comparison's outcome: `verdict` compares `id` with `baseline`. */
interface LetteredOutcome {
  readonly id: string
  readonly baseline: string
  readonly verdict: Verdict
}

/**
 * Letters by id. `order` gives all ids, best first: those that are beaten get their letters in this order, at most 25 of
 * them, and every baseline among these. Ids that were not compared have no entry.
 */
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

/** Letters as raised characters: abc -> ᵃᵇᶜ. */
export function raised(letters: string): string {
  return Array.from(letters, (letter) => RAISED[LETTERS.indexOf(letter)]).join('')
}

/** Raised letters in a text as LaTeX has them: ᵃᵇ -> $^{ab}$. */
export function raisedInLatex(text: string): string {
  return text.replace(new RegExp(`[${RAISED}]+`, 'g'), (found) => {
    return `$^{${Array.from(found, (one) => LETTERS[RAISED.indexOf(one)]).join('')}}$`
  })
}
