import { z } from 'zod'
import { defineChunker } from './index.ts'

/** Takes the headings above the chunk from the document's metadata `section`, if that is a list of texts. */
export default defineChunker({
  name: 'passages',
  version: 2,
  summary: 'one document is one chunk',
  params: z.strictObject({}),
  make: () => ({
    whole: true,
    split: ({ text, metadata: { section } }) => [
      { start: 0, end: text.length, ...(isPath(section) && { section }) },
    ],
  }),
})

function isPath(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
