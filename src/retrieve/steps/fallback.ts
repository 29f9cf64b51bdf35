import type { Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'

const choose = defineStep<{ when: string }, [Ranking, Ranking, Ranking], Record<never, never>, Ranking>({
  name: 'fallback',
  version: 2,
  yields: 'ranking',
  pick: (first) => (first.rows.length > 0 ? 0 : 1),
  countsArm: (arm, { when }) => countFallback(arm === 1, when),
})

/** What a step counts that could have fallen back, and why in words if it did. */
export function countFallback(fell: boolean, when: string): Readonly<Record<string, number>> {
  return fell ? { fallbacks: 1, [`fallback: ${when}`]: 1 } : { fallbacks: 0 }
}

/**
 * `first` where it found anything, else `second`: a named step, counted as `fallbacks`, never silent. `when` says why in
 * words, and is counted for itself as `fallback: <when>`.
 */
export function fallback(
  first: Expression<Ranking>,
  second: Expression<Ranking>,
  when: string,
): Expression<Ranking> {
  return choose([first, first, second], { when })
}

/** `ranking`, even an empty one, where anything is linked (rows of entities, facts, ...), else `second`; counted alike. */
export function fallbackUnlinked(
  linked: Expression<Ranking>,
  ranking: Expression<Ranking>,
  second: Expression<Ranking>,
  when: string,
): Expression<Ranking> {
  return choose([linked, ranking, second], { when })
}
