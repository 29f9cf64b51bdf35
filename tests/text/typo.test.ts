import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from '../../src/random.ts'
import { misspell } from '../../src/text/typo.ts'

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours, each 1. */
function distance(a: readonly string[], b: readonly string[]): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)])
  for (let j = 0; j <= b.length; j++) d[0][j] = j
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1)
    }
  return d[a.length][b.length]
}

const letter = fc.constantFrom(...'abcdeß漢字ไทย𝒜')

test('a misspelled word is one error away, and never empty', () => {
  fc.assert(
    fc.property(
      fc.array(letter, { minLength: 2, maxLength: 9 }),
      fc.array(letter, { maxLength: 5 }),
      fc.nat(),
      (letters, alphabet, seed) => {
        const misspelled = misspell(letters.join(''), alphabet, createRandom(seed).below)
        expect(distance(letters, Array.from(misspelled))).toBe(1)
        expect(misspelled.length).toBeGreaterThan(0)
      },
    ),
  )
})

test('every kind of error comes up, and a letter alone is left where nothing can be put in', () => {
  const { below } = createRandom(1)
  const lengths = Array.from({ length: 60 }, () => misspell('table', ['x'], below).length)
  expect(new Set(lengths)).toEqual(new Set([4, 5, 6]))
  const sorted = Array.from({ length: 60 }, () => [...misspell('table', ['x'], below)].sort().join(''))
  expect(sorted).toContain('abelt')
  expect(misspell('a', [], below)).toBe('a')
})
