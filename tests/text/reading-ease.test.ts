import { expect, test } from 'vitest'
import { readingEase } from '../../src/text/reading-ease.ts'

test('the formula on counts that are plain to see', () => {
  // 6 words, 1 sentence, 6 syllables.
  expect(readingEase('The cat sat on the mat.')).toBeCloseTo(206.835 - 1.015 * 6 - 84.6, 9)
  // 5 words, 2 sentences, 8 syllables.
  expect(readingEase('Water runs. Rivers carry it')).toBeCloseTo(206.835 - 1.015 * 2.5 - 84.6 * (8 / 5), 9)
})

test('a text without words has none', () => {
  expect(readingEase(' ... ')).toBe(Number.NaN)
})
