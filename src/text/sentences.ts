/** A sentence's place, UTF-16 offsets without the white space around it. */
export interface Sentence {
  readonly start: number
  readonly end: number
}

/** Stops, then closing quotes and brackets; in Chinese and Japanese no space follows. */
const STOP = /(?<![.!?…])([.!?…]+)(["'”’»)\]]*)(?=\s|$)|[。！？]+["'”’»）」』]*/gu
const HEADING = /^[ \t]*#{1,6}[ \t]/
/** Beginning of a line that is a sentence of its own: a heading, a list item, a quotation, a table row. */
const OPENING = /^[ \t]*(?:#{1,6}[ \t]|[-*+•|>][ \t]|\d{1,3}[.)][ \t])/
const SPACE = /\s/u
/** Words after which a full stop does not end an English sentence, in lower case, without the stop. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  `mr mrs ms dr prof rev hon st gen col lt sgt capt cmdr adm gov sen rep pres vs etc cf ca approx no nos vol vols fig
  figs eq eqs sec ch chap ed eds trans pp p al jr sr inc ltd co corp dept univ assn bros ave blvd rd mt ft jan feb mar
  apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun e.g i.e a.k.a viz resp est incl`.split(
    /\s+/,
  ),
)

/**
 * Splits a text into sentences by fixed rules. A stop ends a sentence before white space unless the next word is in lower case, or it
 * follows an abbreviation, a single capital or a lone number.
 */
export function sentences(text: string): Sentence[] {
  const spans: Sentence[] = []
  let from = 0
  for (const to of [...cuts(text), text.length]) {
    let start = from
    let end = to
    while (start < end && SPACE.test(text[start])) start++
    while (end > start && SPACE.test(text[end - 1])) end--
    if (start < end) spans.push({ start, end })
    from = to
  }
  return spans
}

function cuts(text: string): number[] {
  const positions = new Set<number>()
  for (const match of text.matchAll(STOP)) {
    const end = match.index + match[0].length
    if (match[1] === undefined || isEnd(text, match.index, match[1], end)) positions.add(end)
  }
  let start = 0
  let apart = false
  for (const line of text.split('\n')) {
    const blank = line.trim() === ''
    if (apart || blank || OPENING.test(line)) positions.add(start)
    apart = blank || HEADING.test(line)
    start += line.length + 1
  }
  return [...positions].sort((a, b) => a - b)
}

function isEnd(text: string, stop: number, marks: string, end: number): boolean {
  const next = /^\s+["'“‘«([]*(\p{Ll})?/u.exec(text.slice(end, end + 40))
  if (next?.[1] !== undefined) return false
  if (marks !== '.') return true
  const before = /[^\s("'“‘«[]*$/u.exec(text.slice(Math.max(0, stop - 40), stop))?.[0] ?? ''
  if (/^\p{Lu}$/u.test(before) || /^(\p{L}\.)+\p{L}$/u.test(before)) return false
  if (ABBREVIATIONS.has(before.toLowerCase())) return false
  // "1." opens a list item at the beginning of its line.
  return !(
    /^\d{1,3}$/.test(before) && /(^|\n)[ \t]*$/.test(text.slice(Math.max(0, stop - 44), stop - before.length))
  )
}
