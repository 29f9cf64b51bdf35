import { describe, expect, test } from 'vitest'
import { containableAnswers, containsAnswer, normaliseAnswer } from '../../src/text/answers.ts'

describe('answers', () => {
  test('are normalised as SQuAD does', () => {
    expect(normaliseAnswer('The  “Old” Bridge, at a River!')).toBe('old bridge at river')
  })
  test('yes, no and nothing could stand in any text', () => {
    expect(containableAnswers(['Yes', 'no', 'the', 'The Heron', 'heron'])).toEqual(['heron'])
  })
  test('are found as whole words', () => {
    const text = normaliseAnswer('It carries salt; in 1843 the tax ended.')
    expect(containsAnswer(text, ['salt'])).toBe(true)
    expect(containsAnswer(text, ['1843 tax'])).toBe(true)
    expect(containsAnswer(text, ['sal', '184'])).toBe(false)
  })
})
