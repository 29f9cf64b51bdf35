import type { Json } from '../types.ts'

/** JSON as people's files hold it. `JSON.parse` keeps the last of equal keys in silence; here that is an error. */

interface JsonDiagnostic {
  readonly message: string
  readonly offset?: number
}

/** Maximum depth of nested values. Deeper ones would overflow the stack. */
export const MAX_DEEP = 100

export function parseJson(text: string): { readonly value?: unknown; readonly diagnostic?: JsonDiagnostic } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { diagnostic: pythonDiagnostic(text) ?? syntaxDiagnostic(error) }
  }
  const diagnostic = silentDiagnostic(text)
  return diagnostic ? { diagnostic } : { value }
}

/** Line and column, from 1, of an offset. */
export function jsonLocation(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  const above = text.slice(0, offset).split('\n')
  return { line: above.length, column: (above.at(-1) as string).length + 1 }
}

/** Forms of Python that are no JSON, in a text that is none. */
function pythonDiagnostic(text: string): JsonDiagnostic | undefined {
  if (/^\s*[[{]+\s*'/.test(text))
    return { message: 'is not valid JSON but a Python dictionary or list; write it with json.dumps' }
  const match = /[:,[]\s*(NaN|-?Infinity)\s*[,\]}]/.exec(
    text.replace(/"(?:[^"\\]|\\.)*\\?(?:"|$)/gs, (string) => '"'.padEnd(string.length)),
  )
  return match
    ? {
        message: `is not valid JSON: ${match[1]} is a number of Python's json module alone; write null`,
        offset: match.index + match[0].indexOf(match[1]),
      }
    : undefined
}

function syntaxDiagnostic(error: unknown): JsonDiagnostic {
  const said = error instanceof Error ? error.message : String(error)
  const [, position] = /at position (\d+)/.exec(said) ?? []
  const reason = said
    .replace(/ at position .*$/s, '')
    .replace(/ in JSON$/, '')
    .replace(/, (\.{3})?".*$/s, '')
  return {
    message: `is not valid JSON: ${reason.slice(0, 1).toLowerCase()}${reason.slice(1)}`,
    ...(position !== undefined && { offset: Number(position) }),
  }
}

const NUMBER = /-?[\d.]+(?:[eE][+-]?\d+)?/y

/** The first thing in a valid JSON text that `JSON.parse` passes over: a key twice, a number too large, endless nesting. */
function silentDiagnostic(text: string): JsonDiagnostic | undefined {
  /** The keys of each object that is open; null for a list. */
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at)
      const keys = open.at(-1)
      if (keys && isKey(text, end)) {
        const key: string = JSON.parse(text.slice(at, end))
        if (keys.has(key))
          return { message: `has the key ${JSON.stringify(key)} twice in one object`, offset: at }
        keys.add(key)
      }
      at = end - 1
    } else if (character === '{' || character === '[') {
      if (open.push(character === '{' ? new Set() : null) > MAX_DEEP)
        return { message: `is nested more than ${MAX_DEEP} deep`, offset: at }
    } else if (character === '}' || character === ']') open.pop()
    else if (character === '-' || (character >= '0' && character <= '9')) {
      NUMBER.lastIndex = at
      const [number] = NUMBER.exec(text) ?? ['']
      if (!Number.isFinite(Number(number)))
        return { message: 'holds a number too large to be read', offset: at }
      at += number.length - 1
    }
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return quote + 1
  }
}

function isKey(text: string, at: number): boolean {
  let next = at
  while (/\s/.test(text[next])) next++
  return text[next] === ':'
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textsIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return typeof value === 'string' ? [value] : []
}

/** A list or object in JSON; undefined for any other text. */
export function jsonIn(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
}

/** True for a list in one text that cannot be parsed: cut off, or of a library's objects. */
export function isBrokenList(value: Json | undefined): boolean {
  if (typeof value !== 'string') return false
  const text = value.trim()
  return (
    /^\[\s*(?:['"]|Document\(|array\()|^array\(/.test(text) &&
    jsonIn(text) === undefined &&
    pythonTexts(text) === undefined
  )
}

/** A list of texts as JSON or Python prints it, `['x', "it's"]`; undefined for any other text. */
export function pythonTexts(text: string): string[] | undefined {
  const list = text.startsWith('[') ? printedLists(text) : undefined
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
}

/**
 * Texts and lists of texts as JSON, Python, pandas and NumPy print them: `[['a'], ['b' 'c']]`, `[array(['a'], dtype=object)]`. Undefined
 * for any other text.
 */
export function printedLists(text: string): Json | undefined {
  const parsed = jsonIn(text)
  if (parsed !== undefined) return parsed
  if (!/^\s*(?:\[|array\()/.test(text)) return undefined
  // NumPy prints no commas.
  const token =
    /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([[\]])|array\(|(?:,\s*)?dtype=\w+\)|[,)]|(-?\d+))\s*/sy
  const stack: Json[][] = [[]]
  while (token.lastIndex < text.length) {
    const match = token.exec(text)
    if (!match) return undefined
    const [, single, quoted = single, bracket, number] = match
    const top = stack[stack.length - 1]
    if (quoted !== undefined) top.push(unescaped(quoted))
    else if (number !== undefined) top.push(Number(number))
    else if (bracket === '[') stack.push([])
    else if (bracket === ']') {
      if (stack.length < 2) return undefined
      stack.pop()
      stack[stack.length - 1].push(top)
    }
  }
  return stack.length === 1 && stack[0].length === 1 ? stack[0][0] : undefined
}

function unescaped(text: string): string {
  return text.replace(/\\(x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8}|.)/gis, (_, code: string) =>
    code.length > 1
      ? String.fromCodePoint(Number.parseInt(code.slice(1), 16))
      : (ESCAPES[code] ?? `\\${code}`),
  )
}
