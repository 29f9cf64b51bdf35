import type { z } from 'zod'
import type { Versioned } from '../../../registry.ts'
import type { Document } from '../../../types.ts'

/** Cuts a document's text into pieces. */
export interface Chunker<S extends z.ZodObject = z.ZodObject> extends Versioned<S> {
  /** True if each document is one chunk, with the document's id and its text unchanged. */
  readonly whole?: boolean
  /** Pieces in order of `start`, inside the text. Between them is only white space. */
  split(document: Document, params: z.output<S>): readonly Piece[]
}

export interface Piece {
  /** UTF-16 offsets into the document's text, `end` excluded. */
  readonly start: number
  readonly end: number
  /** Headings above the piece, outermost first. */
  readonly section?: readonly string[]
  /** Title of the chunk instead of the document's. */
  readonly title?: string
}

/** Types a chunker's definition. */
export function defineChunker<S extends z.ZodObject>(chunker: Chunker<S>): Chunker<S> {
  return chunker
}
