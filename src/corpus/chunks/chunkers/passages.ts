import { z } from 'zod'
import { defineChunker } from './define.ts'

/** Makes each document one chunk with the document's id, for corpora of passages. */
export const passages = defineChunker({
  name: 'passages',
  version: 1,
  summary: 'one document is one chunk',
  params: z.strictObject({}),
  whole: true,
  split: ({ text }) => [{ start: 0, end: text.length }],
})
