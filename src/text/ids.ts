import { addTo } from '../maps.ts'

/** The diagnostic of an id of a document or a query in somebody's file; undefined if `String(value)` is a valid id. */
export function idError(value: unknown): string | undefined {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return undefined
  if (typeof value === 'number')
    return Number.isInteger(value)
      ? `is the number ${value}, and whole numbers this large lose digits; write it as text`
      : `is ${kindOf(value)}; an id is a text or a whole number`
  if (typeof value !== 'string') return `is ${kindOf(value)}; an id is a text or a whole number`
  if (value === '') return 'is empty'
  return holdsControl(value) ? `holds a control character: ${JSON.stringify(value)}` : undefined
}

/** True if the text holds a character of Unicode's class Cc. Files have millions of ids, so no regular expression. */
function holdsControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 32 || (code > 126 && code < 160)) return true
  }
  return false
}

/** A value of somebody's file, as a diagnostic names it. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return `the ${typeof value} ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`
}

/** Order of ids by their UTF-8 bytes, as `Buffer.compare` has it; JavaScript's own order differs above U+FFFF. */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left === right) continue
    // Below the surrogates UTF-16 order is byte order; from there on the bytes themselves decide.
    if (left < 0xd800 && right < 0xd800) return left - right
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
  return a.length - b.length
}

export function sortedById<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => compareIds(a.id, b.id))
}

/** The index of an id in a list that is sorted by the bytes of its ids; -1 where it is not there. */
export function indexOfId(sorted: readonly { readonly id: string }[], id: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareIds(sorted[middle].id, id) < 0) low = middle + 1
    else high = middle
  }
  return sorted[low]?.id === id ? low : -1
}

/** The rows of chunks as one reads: document after document, each from its beginning. */
export function inReadingOrder(
  chunks: readonly { readonly documentId: string; readonly position: number }[],
): Uint32Array {
  const rows = Uint32Array.from(chunks, (_, row) => row)
  return rows.sort(
    (a, b) =>
      compareIds(chunks[a].documentId, chunks[b].documentId) || chunks[a].position - chunks[b].position,
  )
}

/** Ids that two files spell in different ways: another Unicode form, other case, `007` or `7.0` for `7`. */

function spellingKey(id: string): string {
  if (isPlain(id)) return id
  // Most ids have no other form of Unicode, and there may be millions.
  const form = ASCII.test(id) ? id : id.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
  const plain = form.trim().toLowerCase()
  const whole = plain.replace(/\.0+$/, '')
  return /^\d+$/.test(whole) ? whole.replace(/^0+(?=\d)/, '') : whole
}

/** True for small ASCII letters, signs and digits without a leading 0 or a point: such an id is its own key, as most of a run's are. */
function isPlain(id: string): boolean {
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at)
    if (code <= 32 || code > 126 || code === 46 || (code >= 65 && code <= 90)) return false
  }
  return !id.startsWith('0')
}

const ASCII = /^[\x20-\x7e]*$/

interface OtherSpellings {
  readonly count: number
  /** The first of them and the known id that it spells. */
  readonly example: string
}

/** Ids that are not known, and are another spelling of a known id that does not occur itself; undefined if there is none. */
export function otherSpellings(
  ids: Iterable<string>,
  otherIds: Iterable<string>,
): OtherSpellings | undefined {
  const all = new Set(otherIds)
  const byKey = new Map<string, string[]>()
  for (const id of all) addTo(byKey, spellingKey(id), id)
  const present = new Set<string>()
  const unknown = new Set<string>()
  for (const id of ids)
    if (all.has(id)) present.add(id)
    else if (byKey.has(spellingKey(id))) unknown.add(id)
  const absentOf = (id: string) => byKey.get(spellingKey(id))?.findLast((other) => !present.has(other))
  const misspelt = [...unknown].filter((id) => absentOf(id) !== undefined)
  if (misspelt.length === 0) return undefined
  const [first] = misspelt
  const other = absentOf(first) ?? ''
  const example =
    first.normalize('NFKC') === other.normalize('NFKC')
      ? `${escaped(first)} for ${escaped(other)}`
      : `\`${first}\` for \`${other}\``
  return { count: misspelt.length, example }
}

function escaped(id: string): string {
  return JSON.stringify(id).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
