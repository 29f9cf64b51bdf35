import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ratio, ratioFrom } from '../../src/text/similarity.ts'

/** The longest common subsequence as it is defined. */
function lcs(a: string, b: string): number {
  if (a === '' || b === '') return 0
  if (a[0] === b[0]) return 1 + lcs(a.slice(1), b.slice(1))
  return Math.max(lcs(a.slice(1), b), lcs(a, b.slice(1)))
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 7 })

test('the ratio is twice the longest common subsequence over both lengths', () => {
  fc.assert(
    fc.property(word, word, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, least) => {
      const wanted = a === b ? 1 : (2 * lcs(a, b)) / (a.length + b.length)
      expect(ratio(a, b)).toBe(wanted)
      expect(ratio(b, a)).toBe(wanted)
      expect(ratioFrom(least, a, b)).toBe(wanted >= least ? wanted : 0)
    }),
  )
})

test.each([
  // As rapidfuzz 3 computes fuzz.ratio.
  ['kitten', 'sitting', 8 / 13],
  ['cover', 'cover rules', 10 / 16],
  ['', '', 1],
])('%s and %s: %s', (a, b, wanted) => {
  expect(ratio(a, b)).toBeCloseTo(wanted, 12)
})
