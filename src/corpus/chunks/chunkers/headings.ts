import { z } from 'zod'
import { headingsOf } from '../../../text/headings.ts'
import { sentences } from '../../../text/sentences.ts'
import { countTokens, pack } from '../../../text/tokens.ts'
import { defineChunker, type Piece } from './index.ts'

/** Cuts at headings of level 2 to `levels`, and sections of more than `size` tokens again. */
export default defineChunker({
  name: 'headings',
  version: 2,
  summary: 'sections of Markdown, cut at headings',
  params: z.strictObject({
    levels: z.int().min(2).max(6).default(3).describe('the deepest heading level at which to cut (2 is ##)'),
    size: z
      .int()
      .min(8)
      .max(8192)
      .optional()
      .describe('maximum tokens of a chunk; longer sections are cut between paragraphs, then sentences'),
  }),
  make: ({ levels, size }) => ({
    split({ text }) {
      const pieces: Piece[] = []
      let path: { level: number; name: string }[] = []
      let open: { start: number; section: readonly string[]; title?: string } = { start: 0, section: [] }
      for (const { level, name, start } of headingsOf(text)) {
        if (level > levels) continue
        path = [...path.filter((above) => above.level < level), { level, name }]
        if (level === 1 && text.slice(open.start, start).trim() === '') {
          open = { start: open.start, section: [name], title: name || undefined }
          continue
        }
        pieces.push({ ...open, end: start })
        open = { start, section: path.map((above) => above.name), title: name || undefined }
      }
      pieces.push({ ...open, end: text.length })
      return size === undefined ? pieces : pieces.flatMap((piece) => cutSection(text, piece, size))
    },
  }),
})

/** Cuts a section between paragraphs, between sentences of a long paragraph, else anywhere. */
function cutSection(text: string, piece: Piece, size: number): Piece[] {
  if (countTokens(text.slice(piece.start, piece.end)) <= size) return [piece]
  const units = paragraphs(text, piece).flatMap(({ start, end }) => {
    const paragraph = text.slice(start, end)
    if (countTokens(paragraph) <= size) return [{ start, end }]
    return sentences(paragraph).map((sentence) => ({
      start: start + sentence.start,
      end: start + sentence.end,
    }))
  })
  return pack(text, units, size).map((range) => ({ ...piece, ...range }))
}

function paragraphs(text: string, { start, end }: Piece): { start: number; end: number }[] {
  const blocks = [...text.slice(start, end).matchAll(/(?<![^\n])[^\S\n]*\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*/g)]
  return blocks.map(({ 0: block, index }) => ({ start: start + index, end: start + index + block.length }))
}
