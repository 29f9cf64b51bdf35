import { resolve } from '../../registry.ts'
import { anchorOf } from '../../text/headings.ts'
import { compareIds } from '../../text/order.ts'
import { titledText } from '../../text/tokenize.ts'
import { countTokens } from '../../text/tokens.ts'
import type { Chunk, Document, Progress } from '../../types.ts'
import type { Chosen } from '../recipe.ts'
import type { Chunker, Piece } from './chunkers/define.ts'
import { chunkers } from './chunkers/index.ts'

/**
 * Cuts documents into chunks, sorted by the bytes of the chunks' ids. A chunk below headings is called by them
 * (`<document>#lomm/harbour`), so that a section inserted before it does not move its id, another one of a document by
 * its place (`<document>#0003`). Pieces lose the white space around them; pieces of white space alone are no chunks; a
 * document without text (a title only) is one chunk.
 */
export function chunkDocuments(
  documents: readonly Document[],
  choice: Chosen<Chunker>,
  progress?: Progress,
): Chunk[] {
  const { definition: chunker, params } = resolve(chunkers, choice)
  const chunks: Chunk[] = []
  documents.forEach((document, done) => {
    if (done % 1000 === 0) progress?.('chunks', done, documents.length)
    if (chunker.whole) {
      chunks.push(chunkOf(document, { start: 0, end: document.text.length }, document.id, 0))
      return
    }
    const pieces = piecesOf(chunker, params, document)
    const names = namesOf(pieces)
    pieces.forEach((piece, position) => {
      chunks.push(chunkOf(document, piece, `${document.id}#${names[position]}`, position))
    })
  })
  progress?.('chunks', documents.length, documents.length)
  return chunks.sort((a, b) => compareIds(a.id, b.id))
}

/** Where a chunker cuts a text that is part of a document already, by the same rules. */
export function splitText(text: Document, choice: Chosen<Chunker>): Piece[] {
  const { definition: chunker, params } = resolve(chunkers, choice)
  return chunker.whole ? [{ start: 0, end: text.text.length }] : piecesOf(chunker, params, text)
}

function piecesOf({ split }: Chunker, params: Chosen<Chunker>['params'], document: Document): Piece[] {
  const trimmed = split(document, params).map((piece) => trim(document.text, piece))
  const full = trimmed.filter(({ start, end }) => end > start)
  return full.length > 0 ? full : [{ start: 0, end: 0 }]
}

/** What a document's pieces are called: the second below the same headings has `~2` behind them. */
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
  const { start, end, section = [], title = document.title } = piece
  const text = document.text.slice(start, end)
  return {
    id,
    documentId: document.id,
    position,
    start,
    end,
    section,
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
