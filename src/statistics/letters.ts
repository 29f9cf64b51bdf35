import type { Verdict } from './verdict.ts'

/**
 * Significance letters, as papers print them: every compared row has a letter, and beside its mean stand the letters of
 * the rows that it beats under the family's correction. Rows that were not tested against each other never name each
 * other, whatever their means.
 */
export interface Lettered {
  /** '' where there were more rows than letters. */
  readonly letter: string
  /** Letters of the rows that this one beats, in their order; '' for none. */
  readonly beats: string
}

/** Without q, the only one that has no raised form. */
const LETTERS = 'abcdefghijklmnoprstuvwxyz'
const RAISED = 'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ'

/** A comparison's outcome: `verdict` says how `id` stands to `baseline`. */
export interface Outcome {
  readonly id: string
  readonly baseline: string
  readonly verdict: Verdict
}

/**
 * Letters by id. `order` gives all ids, best first: the compared ones get their letters in this order, at most 25 of
 * them, and every baseline among these.
 */
export function significanceLetters(
  order: readonly string[],
  outcomes: readonly Outcome[],
): ReadonlyMap<string, Lettered> {
  const compared = new Set(outcomes.flatMap(({ id, baseline }) => [id, baseline]))
  const baselines = new Set(outcomes.map(({ baseline }) => baseline))
  const rows = order.filter((id) => compared.has(id))
  const first = rows.filter((id) => baselines.has(id)).slice(0, LETTERS.length)
  const others = rows.filter((id) => !first.includes(id)).slice(0, LETTERS.length - first.length)
  const lettered = new Set([...first, ...others])
  const letters = new Map(rows.filter((id) => lettered.has(id)).map((id, place) => [id, LETTERS[place]]))
  const beaten = new Map<string, string[]>()
  const beats = (id: string, other: string) =>
    beaten.set(id, [...(beaten.get(id) ?? []), letters.get(other) ?? ''])
  for (const { id, baseline, verdict } of outcomes) {
    if (verdict === 'better') beats(id, baseline)
    if (verdict === 'worse') beats(baseline, id)
  }
  return new Map(
    rows.map((id) => [
      id,
      { letter: letters.get(id) ?? '', beats: [...(beaten.get(id) ?? [])].sort().join('') },
    ]),
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
