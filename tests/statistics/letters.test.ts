import fc from 'fast-check'
import { expect, test } from 'vitest'
import { significanceLetters } from '../../src/report/letters.ts'

test('who beats whom can be read back from the letters', () => {
  const verdict = fc.constantFrom(
    'better' as const,
    'worse' as const,
    'equivalent' as const,
    'cannot tell' as const,
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 12 }),
      fc.array(verdict, { minLength: 66, maxLength: 66 }),
      (n, verdicts) => {
        const ids = Array.from({ length: n }, (_, place) => `t${place}`)
        const outcomes = ids.flatMap((id, place) =>
          ids
            .slice(0, place)
            .map((baseline, other) => ({
              id,
              baseline,
              verdict: verdicts[(place * (place - 1)) / 2 + other],
            })),
        )
        const letters = significanceLetters(ids, outcomes)
        for (const outcome of outcomes) {
          const [own, other] = [letters.get(outcome.id), letters.get(outcome.baseline)]
          expect(own?.beats.includes(other?.letter || '?')).toBe(outcome.verdict === 'better')
          expect(other?.beats.includes(own?.letter || '?')).toBe(outcome.verdict === 'worse')
        }
      },
    ),
  )
})
