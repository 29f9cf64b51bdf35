import { z } from 'zod'
import { defineChunker } from './index.ts'

/**
 * Makes each document one chunk with the document's id, for corpora of passages. If the document's metadata has a list of
 * texts under `section`, these are the headings above the chunk.
 */
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
