/** Ids as files hold them, one reader for every format: a text, or a whole number, read as its digits. */

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
