import { z } from 'zod'
import { pack } from '../../../text/pack.ts'
import { sentences as sentencesOf } from '../../../text/sentences.ts'
import { defineChunker } from './define.ts'

/**
 * Packs whole sentences in order while their tokens fit into `size`, or `each` at a time. A sentence longer than `size` is
 * cut by tokens.
 */
export const sentencesChunker = defineChunker({
  name: 'sentences',
  version: 1,
  summary: 'whole sentences, packed up to a number of tokens',
  params: z.strictObject({
    size: z.int().min(8).max(8192).default(256).describe('maximum tokens of a chunk'),
    each: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('maximum sentences of a chunk; default: as many as fit'),
  }),
  split: ({ text }, { size, each }) => pack(text, sentencesOf(text), size, each),
})
