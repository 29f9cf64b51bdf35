import { createRequire } from 'node:module'

/**
 * Tokens of OpenAI's o200k encoding, the unit of all token budgets and prices. The tables take some 0.2 s to load, so
 * they are loaded when the first token is counted. Text that looks like a special token is counted as plain text.
 */
const require = createRequire(import.meta.url)
const encoding = () =>
  require('gpt-tokenizer/encoding/o200k_base') as typeof import('gpt-tokenizer/encoding/o200k_base')
const ranks = () =>
  (require('gpt-tokenizer/bpeRanks/o200k_base') as { default: readonly (string | readonly number[])[] })
    .default
const PLAIN = { disallowedSpecial: new Set<string>() }

/** Number of tokens of `text`. */
export function countTokens(text: string): number {
  return text === '' ? 0 : encoding().countTokens(text, PLAIN)
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
