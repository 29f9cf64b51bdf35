import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/**
 * Tokens of OpenAI's o200k encoding, the unit of all token budgets and prices. Its table is loaded when first needed
 * (scripts/token-table.mjs gives its layout). Special tokens count as plain text.
 */

/** Pieces that the encoding cuts a text into first; no token crosses their borders. */
const PIECE = (() => {
  // Not \s, which takes a byte order mark for a space.
  const space = String.raw`\p{White_Space}`
  const mark = String.raw`[^\r\n\p{L}\p{N}]?`
  const upper = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
  const lower = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
  const contraction = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?"
  const kinds = [
    `${mark}${upper}*${lower}+${contraction}`,
    `${mark}${upper}+${lower}*${contraction}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^${space}\p{L}\p{N}]+[\r\n/]*`,
    String.raw`${space}*[\r\n]+`,
    String.raw`${space}+(?!\P{White_Space})`,
    `${space}+`,
  ]
  return new RegExp(kinds.join('|'), 'gu')
})()

/** Ranks of the 256 tokens of one byte come first. A later token joins two tokens of lower rank. */
const BYTES = 256
/** Slots of the table of pairs: a power of two, twice the number of ranks or more. */
const SLOTS = 2 ** 19
const NONE = -1

interface Table {
  readonly ranks: Uint8Array
  readonly bytes: Uint8Array
  joined(left: number, right: number): number
  readonly left: Int32Array
  readonly right: Int32Array
}

let loaded: Table | undefined
const table = (): Table => (loaded ??= load())

function load(): Table {
  const data = brotliDecompressSync(readFileSync(new URL('./o200k.br', import.meta.url)))
  const pairs = (data.length - BYTES) / 6
  const size = BYTES + pairs
  const left = new Int32Array(size).fill(NONE)
  const right = new Int32Array(size).fill(NONE)
  const ranks = new Uint8Array(BYTES)
  const bytes = new Uint8Array(size).fill(1, 0, BYTES)
  const slots = new Int32Array(SLOTS).fill(NONE)
  for (let rank = 0; rank < BYTES; rank++) ranks[data[rank]] = rank
  const number = (at: number) => data[at] | (data[at + pairs] << 8) | (data[at + 2 * pairs] << 16)
  const slotOf = (a: number, b: number): number => {
    let slot = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> 13
    while (slots[slot] !== NONE && (left[slots[slot]] !== a || right[slots[slot]] !== b))
      slot = (slot + 1) % SLOTS
    return slot
  }
  for (let rank = BYTES; rank < size; rank++) {
    left[rank] = number(rank)
    right[rank] = number(rank + 3 * pairs)
    bytes[rank] = bytes[left[rank]] + bytes[right[rank]]
    slots[slotOf(left[rank], right[rank])] = rank
  }
  return { ranks, bytes, left, right, joined: (a, b) => slots[slotOf(a, b)] }
}

/** Bytes of each token by piece: a corpus repeats its pieces. */
const encoded = new Map<string, readonly number[]>()
const MOST_ENCODED = 2 ** 18
/** UTF-16 units of a piece that is remembered: longer ones, as lines of signs, seldom come again. */
const LONGEST_ENCODED = 64

function encode(piece: string): readonly number[] {
  const earlier = encoded.get(piece)
  if (earlier) return earlier
  const { bytes } = table()
  const lengths = tokensOf(Buffer.from(piece)).map((rank) => bytes[rank])
  if (piece.length > LONGEST_ENCODED) return lengths
  if (encoded.size === MOST_ENCODED) encoded.clear()
  // A copy: a part of a string keeps all of it in memory.
  encoded.set(Buffer.from(piece, 'utf16le').toString('utf16le'), lengths)
  return lengths
}

/** Ranks of a piece's tokens: joins the pairs of lowest rank, from the left, as long as there are any. */
function tokensOf(piece: Uint8Array): number[] {
  const { ranks, left, right, joined } = table()
  const tokens = Array.from(piece, (byte) => ranks[byte])
  for (;;) {
    let lowest = NONE
    for (let at = 1; at < tokens.length; at++) {
      const rank = joined(tokens[at - 1], tokens[at])
      if (rank !== NONE && (lowest === NONE || rank < lowest)) lowest = rank
    }
    if (lowest === NONE) return tokens
    let count = 0
    for (let at = 0; at < tokens.length; at++) {
      const joins = tokens[at] === left[lowest] && tokens[at + 1] === right[lowest]
      tokens[count++] = joins ? lowest : tokens[at]
      if (joins) at++
    }
    tokens.length = count
  }
}

export function countTokens(text: string): number {
  let tokens = 0
  for (const piece of text.match(PIECE) ?? []) tokens += encode(piece).length
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
 * End of each token, as UTF-16 offsets, ascending; the last is `text.length`. A token that ends inside a character ends before it.
 */
export function tokenEnds(text: string): Uint32Array {
  const ends: number[] = []
  let byte = 0
  let index = 0
  let offset = 0
  for (const piece of text.match(PIECE) ?? [])
    for (const length of encode(piece)) {
      byte += length
      while (offset < text.length) {
        const code = text.codePointAt(offset) as number
        const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
        if (index + bytes > byte) break
        index += bytes
        offset += code < 0x10000 ? 1 : 2
      }
      ends.push(offset)
    }
  return Uint32Array.from(ends)
}

/** A piece of a text, in UTF-16 offsets, `end` excluded. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Packs units of a text in order while their tokens fit into `size`, at most `each` together. A longer unit is cut by tokens. */
export function pack(
  text: string,
  units: Iterable<Range>,
  size: number,
  each = Number.POSITIVE_INFINITY,
): Range[] {
  const pieces: Range[] = []
  let open: (Range & { readonly tokens: number; readonly units: number }) | undefined
  const close = () => {
    if (open) pieces.push({ start: open.start, end: open.end })
    open = undefined
  }
  for (const { start, end } of units) {
    const tokens = countTokens(text.slice(open ? open.end : start, end))
    if (open && open.tokens + tokens <= size && open.units < each) {
      open = { start: open.start, end, tokens: open.tokens + tokens, units: open.units + 1 }
      continue
    }
    close()
    if (tokens <= size) open = { start, end, tokens, units: 1 }
    else for (const piece of cut(text, start, end, size)) pieces.push(piece)
  }
  close()
  return pieces
}

function cut(text: string, start: number, end: number, size: number): Range[] {
  const ends = tokenEnds(text.slice(start, end))
  const pieces: Range[] = []
  for (let first = 0; first < ends.length; first += size) {
    const last = Math.min(first + size, ends.length)
    pieces.push({ start: start + (first === 0 ? 0 : ends[first - 1]), end: start + ends[last - 1] })
  }
  return pieces
}
