import type { Chunk, Document } from '../../../src/types.ts'

/** Chunks of `texts` that are documents too: `[title, text]`, ids in order. */
export function chunksOf(texts: readonly (readonly [string, string])[]): {
  readonly chunks: Chunk[]
  readonly documents: Document[]
} {
  const documents = texts.map(([title, text], row) => ({ id: `d${row}`, title, text, metadata: {} }))
  const chunks = documents.map((document) => ({
    ...document,
    documentId: document.id,
    position: 0,
    start: 0,
    end: document.text.length,
    section: [],
    tokens: 0,
  }))
  return { chunks, documents }
}
