import { z } from 'zod'
import { readingEase } from '../../text/reading-ease.ts'
import { defineJudge } from './define.ts'

/**
 * Flesch reading ease of the answer / 100, clipped to 0 and 1. English answers only. A refusal or a missing answer
 * does not count.
 */
export const clarity = defineJudge({
  name: 'clarity',
  summary: 'Flesch reading ease of the answer, by 100; English; no language model',
  source: 'Flesch, A New Readability Yardstick, 1948; seed document 004',
  params: z.strictObject({}),
  judge({ text, refused, failed }) {
    if (refused || failed) return Number.NaN
    return Math.min(1, Math.max(0, readingEase(text) / 100))
  },
})
