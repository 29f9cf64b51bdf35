import { countTokens, cutTokens } from '../text/tokens.ts'

/**
 * Descriptions are put together from distinct pieces of text in the order of their coming, joined and cut at a number
 * of tokens. There may be millions, so a description in the making is a plain list.
 */

/** Adds a piece that is new and not empty. Every piece is at least a token: what comes after `tokens` pieces is cut anyway. */
export function addPiece(pieces: string[], text: string, tokens: number): void {
  if (text !== '' && pieces.length < tokens && !pieces.includes(text)) pieces.push(text)
}

export type Describe = (pieces: readonly string[], separator: string, tokens: number) => string

/**
 * Joins pieces and cuts the text. Tokens are counted only where the bytes do not tell already, and once a piece: a
 * sentence describes every entity that it names. A separator begins a new token (or ends the one before, which only
 * saves one), so that the counts of pieces add up; only the piece in which the cut falls is read again.
 */
export function createDescribe(): Describe {
  const counted = new Map<string, Map<string, number>>()
  function tokensOf(piece: string, separator: string): number {
    let counts = counted.get(separator)
    if (!counts) {
      counts = new Map()
      counted.set(separator, counts)
    }
    let tokens = counts.get(piece)
    if (tokens === undefined) {
      tokens = countTokens(separator + piece)
      counts.set(piece, tokens)
    }
    return tokens
  }
  return (pieces, separator, limit) => {
    const whole = pieces.length === 1 ? pieces[0] : pieces.join(separator)
    if (whole.length <= limit && Buffer.byteLength(whole) <= limit) return whole
    let held = 0
    for (let next = 0; next < pieces.length; next++) {
      const tokens = tokensOf(pieces[next], separator)
      if (held + tokens > limit) {
        if (next === 0) return cutTokens(pieces[0], limit)
        return pieces.slice(0, next).join(separator) + cutTokens(separator + pieces[next], limit - held)
      }
      held += tokens
    }
    return whole
  }
}
