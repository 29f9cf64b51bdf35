import { resolve } from '../../registry.ts'
import { anchorOf } from '../../text/headings.ts'
import { compareIds } from '../../text/ids.ts'
import { plainHeading } from '../../text/plain-heading.ts'
import { titledText } from '../../text/tokenize.ts'
import { countTokens } from '../../text/tokens.ts'
import type { Chunk, Document, Progress } from '../../types.ts'
import type { Chosen } from '../recipe.ts'
import { type Chunker, type Cutter, chunkers, type Piece } from './chunkers/index.ts'

/**
 * Cuts documents into chunks, sorted by id bytes. Ids are named by the headings above (`<document>#lomm/harbour`), so
 * that inserted sections change no other id, or numbered (`<document>#0003`). Pieces of white space are dropped; a
 * document without text is one chunk.
 */
export function chunkDocuments(
  documents: readonly Document[],
  choice: Chosen<Chunker>,
  progress?: Progress,
): Chunk[] {
  const chunker = chunkerOf(choice)
  const chunks: Chunk[] = []
  documents.forEach((document, done) => {
    if (done % 1000 === 0) progress?.('chunks', done, documents.length)
    if (chunker.whole) {
      for (const piece of chunker.split(document)) chunks.push(chunkOf(document, piece, document.id, 0))
      return
    }
    const pieces = piecesOf(chunker, document)
    const names = namesOf(pieces)
    pieces.forEach((piece, position) => {
      chunks.push(chunkOf(document, piece, `${document.id}#${names[position]}`, position))
    })
  })
  progress?.('chunks', documents.length, documents.length)
  return chunks.sort((a, b) => compareIds(a.id, b.id))
}

export function splitText(text: Document, choice: Chosen<Chunker>): readonly Piece[] {
  const chunker = chunkerOf(choice)
  return chunker.whole ? chunker.split(text) : piecesOf(chunker, text)
}

function chunkerOf(choice: Chosen<Chunker>): Cutter {
  const { definition, params } = resolve(chunkers, choice)
  return definition.make(params)
}

function piecesOf({ split }: Cutter, document: Document): Piece[] {
  const trimmed = split(document).map((piece) => trim(document.text, piece))
  const full = trimmed.filter(({ start, end }) => end > start)
  return full.length > 0 ? full : [{ start: 0, end: 0 }]
}

/** Names pieces. The second piece below the same headings ends with `~2`. */
function namesOf(pieces: readonly Piece[]): string[] {
  const width = Math.max(4, String(pieces.length - 1).length)
  const seen = new Map<string, number>()
  return pieces.map(({ section = [] }, position) => {
    const name = section.length > 0 ? section.map(anchorOf).join('/') : String(position).padStart(width, '0')
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name}~${times}`
  })
}

function chunkOf(document: Document, piece: Piece, id: string, position: number): Chunk {
  const { start, end, section = [] } = piece
  // The id was named by the headings as they are written.
  const title = piece.title === undefined ? document.title : plainHeading(piece.title)
  const text = document.text.slice(start, end)
  return {
    id,
    documentId: document.id,
    position,
    start,
    end,
    section: section.map(plainHeading),
    title,
    text,
    tokens: countTokens(titledText({ title, text })),
    metadata: document.metadata,
  }
}

const SPACE = /\s/u

function trim(text: string, piece: Piece): Piece {
  let { start, end } = piece
  while (start < end && SPACE.test(text[start])) start++
  while (end > start && SPACE.test(text[end - 1])) end--
  return { ...piece, start, end }
}
