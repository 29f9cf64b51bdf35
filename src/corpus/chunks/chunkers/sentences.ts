import { z } from 'zod'
import { sentences } from '../../../text/sentences.ts'
import { pack } from '../../../text/tokens.ts'
import { defineChunker } from './index.ts'

/** A sentence longer than `size` is cut by tokens. */
export default defineChunker({
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
  make: ({ size, each }) => ({ split: ({ text }) => pack(text, sentences(text), size, each) }),
})
