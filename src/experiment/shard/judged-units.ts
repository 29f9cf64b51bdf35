import type { ChunkSpan } from '../../corpus/corpus.ts'
import { documentRows, parseSpanId, spanRows } from '../../dataset/collapse.ts'
import type { JudgedUnit } from '../../dataset/types.ts'
import { addTo } from '../../maps.ts'
import { indexOfId } from '../../text/ids.ts'
import type { Document } from '../../types.ts'
import type { ShardLabels } from './locate.ts'

interface JudgedUnits {
  readonly unitOf: Uint32Array
  readonly indexed: Uint8Array
  placed(ids: readonly string[]): Pick<ShardLabels, 'units' | 'holders'>
}

/**
 * Judged units of one chunking: documents, or chunks. If spans are judged, every chunk that overlaps a span contains it.
 * `documents` (by id bytes) are not read if chunks are judged.
 */
export function judgedUnits(
  judged: JudgedUnit,
  chunks: readonly ChunkSpan[],
  documents: readonly Pick<Document, 'id'>[],
): JudgedUnits {
  switch (judged) {
    case 'document': {
      const unitOf = documentRows(chunks, documents)
      const indexed = new Uint8Array(documents.length)
      for (const unit of unitOf) indexed[unit] = 1
      return { unitOf, indexed, placed: byId(documents) }
    }
    case 'chunk':
      return { ...eachChunk(chunks.length), placed: byId(chunks) }
    case 'span':
      return { ...eachChunk(chunks.length), placed: bySpan(chunks, documents) }
  }
}

/** One unit per chunk, and one for spans that the chunking left out. */
function eachChunk(chunks: number) {
  const indexed = new Uint8Array(chunks + 1).fill(1)
  indexed[chunks] = 0
  return { unitOf: Uint32Array.from({ length: chunks }, (_, row) => row), indexed }
}

function byId(units: readonly { readonly id: string }[]): JudgedUnits['placed'] {
  return (ids) => ({ units: Int32Array.from(ids, (id) => indexOfId(units, id)) })
}

function bySpan(
  chunks: readonly ChunkSpan[],
  documents: readonly Pick<Document, 'id'>[],
): JudgedUnits['placed'] {
  const byDocument = new Map<string, { chunk: ChunkSpan; row: number }[]>()
  chunks.forEach((chunk, row) => void addTo(byDocument, chunk.documentId, { chunk, row }))
  return (ids) => {
    const spans = ids.map((id) => {
      const span = parseSpanId(id)
      if (!span) throw new Error(`${id} names no span`)
      return span
    })
    const spanUnits = spans.map((span) => {
      const documentChunks = byDocument.get(span.documentId) ?? []
      const [indexes] = spanRows(
        [span],
        documentChunks.map(({ chunk }) => chunk),
      )
      return [...indexes].map((index) => documentChunks[index].row)
    })
    const offsets = new Int32Array(spanUnits.length + 1)
    spanUnits.forEach((rows, label) => {
      offsets[label + 1] = offsets[label] + rows.length
    })
    return {
      units: Int32Array.from(spanUnits, ([first], label) => {
        if (first !== undefined) return first
        return indexOfId(documents, spans[label].documentId) < 0 ? -1 : chunks.length
      }),
      holders: { offsets, units: Uint32Array.from(spanUnits.flat()) },
    }
  }
}
