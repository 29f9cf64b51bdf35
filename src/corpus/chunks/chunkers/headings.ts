import { z } from 'zod'
import { headingsOf } from '../../../text/headings.ts'
import { defineChunker, type Piece } from './define.ts'

/**
 * Cuts Markdown at headings of level 2 to `levels`, without overlap. Each chunk begins with its heading line; text before
 * the first heading is a separate chunk. A document without such a heading stays whole. A chunk's title is its heading,
 * its section the path of headings from level 1 down to it.
 */
export const headings = defineChunker({
  name: 'headings',
  version: 1,
  summary: 'sections of Markdown, cut at headings',
  params: z.strictObject({
    levels: z
      .int()
      .min(2)
      .max(6)
      .default(3)
      .describe('the deepest level of heading (2 is ##) at which to cut'),
  }),
  split({ text }, { levels }) {
    const pieces: Piece[] = []
    let path: { level: number; name: string }[] = []
    let open: { start: number; section: readonly string[]; title?: string } = { start: 0, section: [] }
    for (const { level, name, start } of headingsOf(text)) {
      if (level > levels) continue
      path = [...path.filter((above) => above.level < level), { level, name }]
      if (level === 1 && text.slice(open.start, start).trim() === '') {
        // A document's own heading opens its first chunk rather than a cut.
        open = { start: open.start, section: [name], title: name || undefined }
        continue
      }
      if (start > open.start) pieces.push({ ...open, end: start })
      open = { start, section: path.map((above) => above.name), title: name || undefined }
    }
    pieces.push({ ...open, end: text.length })
    return pieces
  },
})
