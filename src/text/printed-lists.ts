import type { Json } from '../types.ts'

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

/** A list of texts as Python prints it, `['x', "it's"]`, as pandas writes lists into CSV; undefined for any other text. */
export function pythonTexts(text: string): string[] | undefined {
  // NumPy prints no commas.
  const item = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*(,|\]|(?<=\s)(?=['"]))/sy
  if (!text.startsWith('[')) return undefined
  if (/^\[\s*\]$/.test(text)) return []
  const items: string[] = []
  item.lastIndex = 1
  for (let match = item.exec(text); match; match = item.exec(text)) {
    const raw = match[1] ?? match[2]
    items.push(
      raw.replace(/\\(x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8}|.)/gis, (_, code: string) =>
        code.length > 1
          ? String.fromCodePoint(Number.parseInt(code.slice(1), 16))
          : (ESCAPES[code] ?? `\\${code}`),
      ),
    )
    if (match[3] === ']') return item.lastIndex === text.length ? items : undefined
  }
  return undefined
}

/**
 * Texts and lists of texts as pandas and NumPy print them in CSV: `[['a'], ['b', 'c']]`, `[array(['a'], dtype=object)]`. Undefined
 * for any other text, and for a list that is cut off.
 */
export function printedLists(text: string): Json | undefined {
  const parsed = jsonIn(text)
  if (parsed !== undefined) return parsed
  if (!text.trimStart().match(/^(?:\[|array\()/)) return undefined
  const token =
    /\s*(?:('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|([[\]])|array\(|(?:,\s*)?dtype=\w+\)|[,)]|(-?\d+))\s*/sy
  const stack: Json[][] = [[]]
  while (token.lastIndex < text.length) {
    const match = token.exec(text)
    if (!match) return undefined
    const [, quoted, bracket, number] = match
    const top = stack[stack.length - 1]
    if (quoted !== undefined) {
      const inner = pythonTexts(`[${quoted}]`)
      if (inner === undefined) return undefined
      top.push(inner[0])
    } else if (number !== undefined) top.push(Number(number))
    else if (bracket === '[') stack.push([])
    else if (bracket === ']') {
      if (stack.length < 2) return undefined
      stack.pop()
      stack[stack.length - 1].push(top)
    }
  }
  return stack.length === 1 && stack[0].length === 1 ? stack[0][0] : undefined
}
