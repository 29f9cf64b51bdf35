import { cutTokens, tokenEnds } from '../../text/tokens.ts'

/**
 * Descriptions are put together from distinct pieces of text in the order of their coming, joined and cut at a number
 * of tokens. There may be millions, so a description in the making is a plain list.
 */

/** Adds a piece that is new and not empty. Every piece is at least a token: what comes after `tokens` pieces is cut anyway. */
export function addPiece(pieces: string[], text: string, tokens: number): void {
  if (text !== '' && pieces.length < tokens && !pieces.includes(text)) pieces.push(text)
}

/** Most descriptions have one piece: it needs no list. Returns what to keep. */
export function withPiece(pieces: string | string[], text: string, tokens: number): string | string[] {
  if (typeof pieces !== 'string') addPiece(pieces, text, tokens)
  else if (pieces === '') return text
  else if (text !== '' && text !== pieces) return [pieces, text]
  return pieces
}

export type Describe = (pieces: string | readonly string[], separator: string, tokens: number) => string

/**
 * Joins pieces and cuts the text. Tokens are counted only where the bytes do not tell already, and once a piece: a
 * sentence describes every entity that it names. A separator begins a new token (or ends the one before, which only
 * saves one), so that the counts of pieces add up; only the piece in which the cut falls is read again.
 */
export function createDescribe(): Describe {
  /** Separator -> piece -> where the tokens of both end. */
  const known = new Map<string, Map<string, Uint32Array>>()
  function endsOf(piece: string, separator: string): Uint32Array {
    let pieces = known.get(separator)
    if (!pieces) {
      pieces = new Map()
      known.set(separator, pieces)
    }
    let ends = pieces.get(piece)
    if (!ends) {
      ends = tokenEnds(separator + piece)
      pieces.set(piece, ends)
    }
    return ends
  }
  return (given, separator, limit) => {
    if (typeof given === 'string' && given.length <= limit && Buffer.byteLength(given) <= limit) return given
    const pieces = typeof given === 'string' ? [given] : given
    const whole = pieces.length === 1 ? pieces[0] : pieces.join(separator)
    if (whole.length <= limit && Buffer.byteLength(whole) <= limit) return whole
    let held = 0
    for (let next = 0; next < pieces.length; next++) {
      const ends = endsOf(pieces[next], separator)
      if (held + ends.length > limit) {
        if (next === 0) return cutTokens(pieces[0], limit)
        const before = pieces.slice(0, next).join(separator)
        const rest = held < limit ? ends[limit - held - 1] : 0
        return before + (separator + pieces[next]).slice(0, rest)
      }
      held += ends.length
    }
    return whole
  }
}
