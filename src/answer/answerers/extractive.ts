import { z } from 'zod'
import { sentences } from '../../text/sentences.ts'
import { tokenize } from '../../text/tokenize.ts'
import { REFUSAL } from '../citations.ts'
import { contextParams } from '../context.ts'
import { defineAnswerer } from './index.ts'

/**
 * The sentence s of the context that shares most with the question q, of N sentences; ties: the first. A context that
 * shares no word gives the refusal. A baseline: exact match is near 0, answer-in-context its upper bound.
 *
 *     score(q, s) = sum over the words t of q that s holds of ln(1 + N / n(t))  /  sqrt(words of s)
 */
export default defineAnswerer({
  name: 'extractive',
  summary: "the sentence of the context with most of the question's words; no model",
  source:
    'the sentence selection baseline of Yang, Yih and Meek, WikiQA (EMNLP 2015), word count weighted by idf',
  params: z.strictObject({
    ...contextParams,
    sentences: z.int().min(1).max(20).default(1).describe('number of sentences, best first'),
  }),
  make: ({ sentences: count }) => ({
    answer(question, { passages }) {
      const questionTokens = new Set(tokenize(question))
      const all = passages.flatMap(({ text }, index) =>
        sentences(text).map(({ start, end }) => {
          const sentence = text.slice(start, end)
          return { cited: `${sentence} [${index + 1}]`, words: tokenize(sentence) }
        }),
      )
      const sentencesWith = new Map<string, number>()
      for (const { words } of all)
        for (const word of new Set(words)) sentencesWith.set(word, (sentencesWith.get(word) ?? 0) + 1)
      const scored = all.map(({ cited, words }) => {
        const shared = [...new Set(words)].filter((word) => questionTokens.has(word))
        const sum = shared.reduce(
          (total, word) => total + Math.log(1 + all.length / (sentencesWith.get(word) as number)),
          0,
        )
        return { cited, score: sum / Math.sqrt(words.length) }
      })
      // The sort is stable: the first of equal scores wins.
      const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
      if (best.length === 0) return REFUSAL
      return best
        .slice(0, count)
        .map(({ cited }) => cited)
        .join(' ')
    },
  }),
})
