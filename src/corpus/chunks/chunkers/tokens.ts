import { z } from 'zod'
import { tokenEnds } from '../../../text/tokens.ts'
import { defineChunker } from './index.ts'

/** Each window begins `size - overlap` tokens after the previous one; a boundary inside a character moves before it. */
export default defineChunker({
  name: 'tokens',
  version: 1,
  summary: 'windows of a fixed number of tokens',
  params: z
    .strictObject({
      size: z.int().min(8).max(8192).default(256).describe('tokens in a chunk'),
      overlap: z
        .int()
        .min(0)
        .max(4096)
        .default(32)
        .describe('tokens shared with the previous chunk; less than size'),
    })
    .refine(({ size, overlap }) => overlap < size, { message: 'must be below size', path: ['overlap'] }),
  make: ({ size, overlap }) => ({
    split({ text }) {
      const ends = tokenEnds(text)
      const pieces = []
      for (let first = 0; first < ends.length; first += size - overlap) {
        const last = Math.min(first + size, ends.length)
        pieces.push({ start: first === 0 ? 0 : ends[first - 1], end: ends[last - 1] })
        if (last === ends.length) break
      }
      return pieces
    },
  }),
})
