import { createRequire } from 'node:module'

/**
 * Tokens of OpenAI's o200k encoding, the unit of all token budgets and prices. The tables take some 0.2 s to load, so
 * they are loaded when the first token is counted. Text that looks like a special token is counted as plain text.
 */
const require = createRequire(import.meta.url)
const once = <T>(load: () => T): (() => T) => {
  let loaded: T | undefined
  return () => (loaded ??= load())
}
const encoding = once(
  () => require('gpt-tokenizer/encoding/o200k_base') as typeof import('gpt-tokenizer/encoding/o200k_base'),
)
const ranks = once(
  () =>
    (require('gpt-tokenizer/bpeRanks/o200k_base') as { default: readonly (string | readonly number[])[] })
      .default,
)
/** Pieces that the encoding cuts a text into first; no token crosses their borders. */
const pieces = once(
  () =>
    (require('gpt-tokenizer/encodingParams/constants') as { readonly O200K_TOKEN_SPLIT_REGEX: RegExp })
      .O200K_TOKEN_SPLIT_REGEX,
)
const PLAIN = { disallowedSpecial: new Set<string>() }

/** Number of tokens by piece. A corpus repeats its pieces; the package merges bytes anew, or looks for one of many. */
const counted = new Map<string, number>()
const MOST_COUNTED = 2 ** 18
/** UTF-16 units of a piece that is remembered: longer ones, as lines of signs, seldom come again. */
const LONGEST_COUNTED = 64

/** Number of tokens of `text`. */
export function countTokens(text: string): number {
  let tokens = 0
  for (const piece of text.match(pieces()) ?? []) tokens += counted.get(piece) ?? countPiece(piece)
  return tokens
}

function countPiece(piece: string): number {
  const tokens = encoding().countTokens(piece, PLAIN)
  if (piece.length > LONGEST_COUNTED) return tokens
  if (counted.size === MOST_COUNTED) counted.clear()
  // A copy: a part of a string keeps all of it in memory.
  counted.set(Buffer.from(piece, 'utf16le').toString('utf16le'), tokens)
  return tokens
}

/** The longest start of `text` that its first `limit` tokens hold whole; cut between characters. */
export function cutTokens(text: string, limit: number): string {
  // A token is at least one byte and a UTF-16 unit at most three, so short texts need no counting.
  if (text.length * 3 <= limit) return text
  const ends = tokenEnds(text)
  if (ends.length <= limit) return text
  return limit <= 0 ? '' : text.slice(0, ends[limit - 1])
}

/**
 * End of each token, as UTF-16 offsets into `text`, ascending; the last is `text.length`. A token that ends inside
 * a character counts as ending before that character.
 */
export function tokenEnds(text: string): Uint32Array {
  if (text === '') return new Uint32Array(0)
  const tokens = encoding().encode(text, PLAIN)
  const table = ranks()
  const ends = new Uint32Array(tokens.length)
  let byte = 0
  let index = 0
  let offset = 0
  // Bytes are counted, not decoded: the package's decoder drops a byte order mark and would shift all that follows.
  for (let token = 0; token < tokens.length; token++) {
    const piece = table[tokens[token]]
    byte += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
    while (offset < text.length) {
      const code = text.codePointAt(offset) as number
      const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
      if (index + bytes > byte) break
      index += bytes
      offset += code < 0x10000 ? 1 : 2
    }
    ends[token] = offset
  }
  return ends
}
