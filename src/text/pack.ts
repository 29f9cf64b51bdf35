import { countTokens, tokenEnds } from './tokens.ts'

/** A piece of a text, in UTF-16 offsets, `end` excluded. */
export interface Range {
  readonly start: number
  readonly end: number
}

/**
 * Packs units of a text in order while their tokens fit into `size`, at most `each` together. A unit longer than `size` is
 * cut by tokens.
 */
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
