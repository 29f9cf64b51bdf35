import { compareIds, indexOfId } from '../text/ids.ts'
import type { Chunk, Document } from '../types.ts'
import type { GoldSpan } from './types.ts'

/** Document row of each chunk row: the index in `documents`, sorted by id bytes. Throws if a chunk has no document. */
export function documentRows(
  chunks: readonly Pick<Chunk, 'id' | 'documentId'>[],
  documents: readonly Pick<Document, 'id'>[],
): Uint32Array {
  let row = 0
  return Uint32Array.from(chunks, ({ id, documentId }) => {
    // Chunks are mostly in the order of their documents.
    if (documents[row]?.id !== documentId) row++
    if (documents[row]?.id !== documentId) row = indexOfId(documents, documentId)
    if (row < 0) throw new Error(`chunk ${id} is of document ${documentId}, which is not in the corpus`)
    return row
  })
}

export function overlaps(chunk: Pick<Chunk, 'documentId' | 'start' | 'end'>, span: GoldSpan): boolean {
  return chunk.documentId === span.documentId && chunk.start < span.end && span.start < chunk.end
}

/** Rows of the chunks that overlap each span, ascending. `chunks` are sorted by id bytes. */
export function spanRows(
  spans: readonly GoldSpan[],
  chunks: readonly Pick<Chunk, 'documentId' | 'start' | 'end'>[],
): Uint32Array[] {
  const wanted = new Map<string, number[]>(spans.map(({ documentId }) => [documentId, []]))
  chunks.forEach(({ documentId }, row) => {
    wanted.get(documentId)?.push(row)
  })
  return spans.map((span) => {
    const rows = wanted.get(span.documentId) ?? []
    return Uint32Array.from(rows.filter((row) => overlaps(chunks[row], span)))
  })
}

export function relevantSpans(spans: readonly GoldSpan[] = []): readonly GoldSpan[] {
  return spans.filter(({ grade = 1 }) => grade >= 1)
}

/** Id of a span, as in `doc1:120-180`. */
export function spanId({ documentId, start, end }: GoldSpan): string {
  return `${documentId}:${start}-${end}`
}

export function parseSpanId(id: string): GoldSpan | undefined {
  const [, documentId, start, end] = /^(.*):(\d+)-(\d+)$/s.exec(id) ?? []
  return documentId === undefined ? undefined : { documentId, start: Number(start), end: Number(end) }
}

export function compareSpans(a: GoldSpan, b: GoldSpan): number {
  return compareIds(a.documentId, b.documentId) || a.start - b.start || a.end - b.end
}
