import { syllable } from 'syllable'
import { sentences } from './sentences.ts'

/**
 * Flesch reading ease (1948): 206.835 - 1.015 * words / sentences - 84.6 * syllables / words. 90 is very easy, 30 very
 * hard; for English only. NaN without a word.
 */
export function readingEase(text: string): number {
  const words = text.match(WORD) ?? []
  if (words.length === 0) return Number.NaN
  const said = sentences(text).filter(({ start, end }) => HOLDS_WORD.test(text.slice(start, end))).length
  const syllables = words.reduce((sum, word) => sum + Math.max(1, syllable(word)), 0)
  return 206.835 - 1.015 * (words.length / Math.max(1, said)) - 84.6 * (syllables / words.length)
}

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu
const HOLDS_WORD = /[\p{L}\p{N}]/u
