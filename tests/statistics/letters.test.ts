import fc from 'fast-check'
import { expect, test } from 'vitest'
import { raised, raisedInLatex, significanceLetters } from '../../src/report/letters.ts'

test('a row names the rows that it beats, and only beaten ones have a letter', () => {
  const letters = significanceLetters(
    ['top', 'middle', 'seen', 'low'],
    [
      { id: 'middle', baseline: 'top', verdict: 'worse' },
      { id: 'low', baseline: 'top', verdict: 'worse' },
      { id: 'low', baseline: 'middle', verdict: 'cannot tell' },
    ],
  )
  expect(Object.fromEntries(letters)).toEqual({
    top: { letter: '', beats: 'ab' },
    middle: { letter: 'a', beats: '' },
    low: { letter: 'b', beats: '' },
  })
})

test('with more beaten rows than letters the baseline keeps one', () => {
  const ids = Array.from({ length: 60 }, (_, place) => `t${place}`)
  const outcomes = ids
    .slice(0, -1)
    .map((id, place) => ({
      id,
      baseline: 't59',
      verdict: place < 10 ? ('better' as const) : ('worse' as const),
    }))
  const letters = significanceLetters(ids, outcomes)
  const baseline = letters.get('t59')
  expect(baseline?.letter).toMatch(/^[a-z]$/)
  expect([...letters.values()].filter(({ letter }) => letter)).toHaveLength(25)
  for (const id of ids.slice(0, 10)) expect(letters.get(id)).toEqual({ letter: '', beats: baseline?.letter })
  expect(baseline?.beats).toHaveLength(24)
})

test('against a baseline alone, rows that were never tested against each other have no letters', () => {
  const outcomes = ['b', 'c'].map((id) => ({ id, baseline: 'a', verdict: 'better' as const }))
  expect(Object.fromEntries(significanceLetters(['c', 'b', 'a'], outcomes))).toEqual({
    c: { letter: '', beats: 'a' },
    b: { letter: '', beats: 'a' },
    a: { letter: 'a', beats: '' },
  })
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
          ids
            .slice(0, place)
            .map((baseline, other) => ({
              id,
              baseline,
              verdict: verdicts[(place * (place - 1)) / 2 + other],
            })),
        )
        const letters = significanceLetters(ids, outcomes)
        for (const one of outcomes) {
          const [own, other] = [letters.get(one.id), letters.get(one.baseline)]
          expect(own?.beats.includes(other?.letter || '?')).toBe(one.verdict === 'better')
          expect(other?.beats.includes(own?.letter || '?')).toBe(one.verdict === 'worse')
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
