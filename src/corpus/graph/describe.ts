import { cutTokens, tokenEnds } from '../../text/tokens.ts'

/** Adds a piece of a description that is new and not empty. Pieces after `tokens` pieces would be cut anyway. */
export function addPiece(pieces: string[], text: string, tokens: number): void {
  if (text !== '' && pieces.length < tokens && !pieces.includes(text)) pieces.push(text)
}

/** Adds a piece and returns the new description. Most have one piece, which needs no list. */
export function withPiece(pieces: string | string[], text: string, tokens: number): string | string[] {
  if (typeof pieces !== 'string') addPiece(pieces, text, tokens)
  else if (pieces === '') return text
  else if (text !== '' && text !== pieces) return [pieces, text]
  return pieces
}

export type Describe = (pieces: string | readonly string[], separator: string, tokens: number) => string

/**
 * Joins pieces and cuts the text at a number of tokens. A separator begins a new token, so the counts of pieces, taken
 * once each, add up; only the piece with the cut is read again.
 */
export function createDescribe(): Describe {
  /** Separator -> piece -> ends of the tokens of both. */
  const cache = new Map<string, Map<string, Uint32Array>>()
  function endsOf(piece: string, separator: string): Uint32Array {
    let pieces = cache.get(separator)
    if (!pieces) {
      pieces = new Map()
      cache.set(separator, pieces)
    }
    let ends = pieces.get(piece)
    if (!ends) {
      ends = tokenEnds(separator + piece)
      pieces.set(piece, ends)
    }
    return ends
  }
  return (texts, separator, limit) => {
    if (typeof texts === 'string' && texts.length <= limit && Buffer.byteLength(texts) <= limit) return texts
    const pieces = typeof texts === 'string' ? [texts] : texts
    const whole = pieces.length === 1 ? pieces[0] : pieces.join(separator)
    if (whole.length <= limit && Buffer.byteLength(whole) <= limit) return whole
    let used = 0
    for (let next = 0; next < pieces.length; next++) {
      const ends = endsOf(pieces[next], separator)
      if (used + ends.length > limit) {
        if (next === 0) return cutTokens(pieces[0], limit)
        const before = pieces.slice(0, next).join(separator)
        const rest = used < limit ? ends[limit - used - 1] : 0
        return before + (separator + pieces[next]).slice(0, rest)
      }
      used += ends.length
    }
    return whole
  }
}
