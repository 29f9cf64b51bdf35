import { cutTokens } from '../text/tokens.ts'

/** Distinct pieces of text in the order of their coming, as far as `tokens` tokens can reach. */
export interface Pieces {
  add(text: string): void
  /** Joined by the separator and cut. */
  text(): string
}

/** A token holds seldom more than some characters; beyond this nothing of a piece could be kept. */
const UNITS_A_TOKEN = 32

export function createPieces(separator: string, tokens: number): Pieces {
  const list: string[] = []
  let known: Set<string> | undefined
  let units = 0
  function add(text: string): void {
    if (text === '' || units > tokens * UNITS_A_TOKEN) return
    if (list.length < 8 ? list.includes(text) : known?.has(text)) return
    list.push(text)
    units += text.length + separator.length
    if (list.length === 8) known = new Set(list)
    else known?.add(text)
  }
  function text(): string {
    return cut(list.length === 1 ? list[0] : list.join(separator), tokens)
  }
  return { add, text }
}

/** A token is at least one byte: most descriptions are so short that nothing needs to be counted. */
function cut(text: string, tokens: number): string {
  if (text.length <= tokens && Buffer.byteLength(text) <= tokens) return text
  // What is beyond could not be kept, and need not be read.
  return cutTokens(
    text.length > tokens * UNITS_A_TOKEN ? text.slice(0, tokens * UNITS_A_TOKEN) : text,
    tokens,
  )
}
