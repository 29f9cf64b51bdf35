import fc from 'fast-check'
import { expect, test } from 'vitest'
import { phrasePattern, phraseTest } from '../../src/text/phrases.ts'
import { UNSPACED_CHARACTERS } from '../../src/text/scripts.ts'

/** Each phrase with conditions of its own, the longest first. */
function plainPattern(phrases: readonly string[], flags: string): RegExp {
  const word = `(?![${UNSPACED_CHARACTERS}])[\\p{L}\\p{M}\\p{N}]`
  const isIn = (pattern: string, phrase: string) => new RegExp(pattern, 'u').test(phrase)
  const ways = [false, true].flatMap((free) =>
    [...phrases]
      .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
      .filter((phrase) => isIn(`^[${UNSPACED_CHARACTERS}]`, phrase) === free)
      .map((phrase) => {
        const escaped = phrase.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+')
        const end = isIn(`[${UNSPACED_CHARACTERS}]$`, phrase) ? '' : `(?!${word})`
        return `${free ? '' : `(?<!${word})`}${escaped}${end}`
      }),
  )
  return new RegExp(ways.join('|') || '(?!)', flags)
}

const letters = (maxLength: number) =>
  fc
    .array(
      fc.constantFrom(
        'a',
        'A',
        'b',
        'ä',
        'ſ',
        's',
        '1',
        '\u0301',
        '.',
        '-',
        ' ',
        '  ',
        '東',
        'シ',
        '𝒜',
        '😀',
      ),
      { minLength: 1, maxLength },
    )
    .map((list) => list.join(''))

test('phrases are found as each with conditions of its own finds them', () => {
  fc.assert(
    fc.property(fc.array(letters(3), { maxLength: 3 }), letters(12), (phrases, text) => {
      for (const flags of ['gu', 'giu'])
        expect(text.replace(phrasePattern(phrases, flags === 'giu'), '[$&]')).toBe(
          text.replace(plainPattern(phrases, flags), '[$&]'),
        )
      expect(phraseTest(phrases)(text)).toBe(plainPattern(phrases, 'iu').test(text))
    }),
    { numRuns: 25 },
  )
})
