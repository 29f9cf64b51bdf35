import fc from 'fast-check'
import { expect, test } from 'vitest'
import { raised, raisedInLatex, significanceLetters } from '../../src/statistics/letters.ts'

test('a row names the rows that it beats, and only tested ones have a letter', () => {
  const letters = significanceLetters(
    ['top', 'middle', 'seen', 'low'],
    [
      { id: 'middle', baseline: 'top', verdict: 'worse' },
      { id: 'low', baseline: 'top', verdict: 'worse' },
      { id: 'low', baseline: 'middle', verdict: 'cannot tell' },
    ],
  )
  expect(Object.fromEntries(letters)).toEqual({
    top: { letter: 'a', beats: 'bc' },
    middle: { letter: 'b', beats: '' },
    low: { letter: 'c', beats: '' },
  })
})

test('with more rows than letters the baseline keeps one', () => {
  const ids = Array.from({ length: 60 }, (_, place) => `t${place}`)
  const outcomes = ids.slice(0, -1).map((id) => ({ id, baseline: 't59', verdict: 'better' as const }))
  const letters = significanceLetters(ids, outcomes)
  const baseline = letters.get('t59')?.letter
  expect(baseline).toMatch(/^[a-z]$/)
  expect([...letters.values()].filter(({ letter }) => letter)).toHaveLength(25)
  for (const id of ids.slice(0, -1)) expect(letters.get(id)?.beats).toBe(baseline)
})

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
          ids.slice(0, place).map((baseline, other) => ({
            id,
            baseline,
            verdict: verdicts[(place * (place - 1)) / 2 + other],
          })),
        )
        const letters = significanceLetters(ids, outcomes)
        for (const one of outcomes) {
          const [own, other] = [letters.get(one.id), letters.get(one.baseline)]
          expect(own?.beats.includes(other?.letter ?? '?')).toBe(one.verdict === 'better')
          expect(other?.beats.includes(own?.letter ?? '?')).toBe(one.verdict === 'worse')
        }
      },
    ),
  )
})

test('raised letters, and the same in LaTeX', () => {
  expect(raised('abz')).toBe('ᵃᵇᶻ')
  expect(raisedInLatex(`0.5${raised('abcdefghijklmnoprstuvwxyz')} x`)).toBe(
    '0.5$^{abcdefghijklmnoprstuvwxyz}$ x',
  )
})
