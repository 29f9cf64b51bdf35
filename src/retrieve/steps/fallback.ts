import type { Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'

const choose = defineStep<{ when: string }, [Ranking, Ranking, Ranking], Ranking>({
  name: 'fallback',
  version: 2,
  yields: 'ranking',
  pick: (first) => (first.rows.length > 0 ? 0 : 1),
  pickFellBack: (arm, { when }) => (arm === 1 ? when : null),
})

/** `first` where it found anything, else `second`: counted as `fallbacks`, never silent. `when` says why in words. */
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
