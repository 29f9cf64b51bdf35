import { z } from 'zod'
import { sentences as sentencesOf } from '../../../text/sentences.ts'
import { countTokens, tokenEnds } from '../../../text/tokens.ts'
import { defineChunker, type Piece } from './define.ts'

/**
 * Packs whole sentences in order while their tokens fit into `size`, or `each` at a time. A sentence longer than `size` is
 * cut by tokens.
 */
export const sentencesChunker = defineChunker({
  name: 'sentences',
  version: 1,
  summary: 'whole sentences, packed up to a number of tokens',
  params: z.strictObject({
    size: z.int().min(8).max(8192).default(256).describe('the most tokens in a chunk'),
    each: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('how many sentences a chunk has at most; as many as fit if left out'),
  }),
  split({ text }, { size, each = Number.POSITIVE_INFINITY }) {
    const pieces: Piece[] = []
    let open: { start: number; end: number; tokens: number; sentences: number } | undefined
    const close = () => {
      if (open) pieces.push({ start: open.start, end: open.end })
      open = undefined
    }
    for (const { start, end } of sentencesOf(text)) {
      const tokens = countTokens(text.slice(open ? open.end : start, end))
      if (open && open.tokens + tokens <= size && open.sentences < each) {
        const { start, sentences } = open
        open = { start, end, tokens: open.tokens + tokens, sentences: sentences + 1 }
        continue
      }
      close()
      if (tokens <= size) open = { start, end, tokens, sentences: 1 }
      else pieces.push(...cut(text, start, end, size))
    }
    close()
    return pieces
  },
})

function cut(text: string, start: number, end: number, size: number): Piece[] {
  const ends = tokenEnds(text.slice(start, end))
  const pieces: Piece[] = []
  for (let first = 0; first < ends.length; first += size) {
    const last = Math.min(first + size, ends.length)
    pieces.push({ start: start + (first === 0 ? 0 : ends[first - 1]), end: start + ends[last - 1] })
  }
  return pieces
}
