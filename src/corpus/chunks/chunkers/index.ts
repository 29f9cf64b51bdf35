import { listParts, type Part, typeParts } from '../../../registry.ts'
import type { Document } from '../../../types.ts'

export type Chunker = Part<Cutter>

export interface Cutter {
  /** True if each document is one chunk, with its id and its text unchanged. */
  readonly whole?: boolean
  /** Pieces in order of `start`, with only white space between them. */
  split(document: Document): readonly Piece[]
}

export interface Piece {
  /** UTF-16 offsets into the document's text, `end` excluded. */
  readonly start: number
  readonly end: number
  readonly section?: readonly string[]
  readonly title?: string
}

export const defineChunker = typeParts<Cutter>()

export const chunkers = listParts<Chunker>('chunker', {
  headings: () => import('./headings.ts'),
  passages: () => import('./passages.ts'),
  sentences: () => import('./sentences.ts'),
  tokens: () => import('./tokens.ts'),
})
