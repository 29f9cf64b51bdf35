import { z } from 'zod'
import { defineChunker } from './define.ts'

/**
 * Makes each document one chunk with the document's id, for corpora of passages. If the document's metadata has a list of
 * texts under `section`, these are the headings above the chunk.
 */
export const passages = defineChunker({
  name: 'passages',
  version: 2,
  summary: 'one document is one chunk',
  params: z.strictObject({}),
  whole: true,
  split: ({ text, metadata: { section } }) => [
    { start: 0, end: text.length, ...(isPath(section) && { section }) },
  ],
})

function isPath(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
