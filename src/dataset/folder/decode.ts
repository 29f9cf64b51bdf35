import { createRequire } from 'node:module'
import { Unreadable } from './reader.ts'

/** Least confidence of a guessed encoding, in percent. */
const SURE = 30

/** Text of bytes in any encoding: by its byte order mark, as UTF-8 if it is, else as it looks. Throws an Unreadable for binary data. */
export function decodeText(bytes: Uint8Array): string {
  const marked = MARKS.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return new TextDecoder(marked[0]).decode(bytes)
  if (bytes.includes(0)) throw new Unreadable('binary file with the name of a text')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    if (isBrokenUtf8(bytes)) throw new Unreadable('text in UTF-8 with broken characters')
    const { analyse } = createRequire(import.meta.url)('chardet') as typeof import('chardet')
    const [best] = analyse(bytes)
    if (!best || best.confidence < SURE) throw new Unreadable('text in an unknown encoding')
    try {
      return new TextDecoder(best.name).decode(bytes)
    } catch {
      throw new Unreadable(`text in the encoding ${best.name}`)
    }
  }
}

/** True if more characters of several bytes are valid UTF-8 than broken: few texts of other encodings hold any. */
function isBrokenUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return count(/[^\0-\x7f\ufffd]/gu) > count(/\ufffd/gu)
}

const MARKS: readonly (readonly [name: string, ...bytes: number[]])[] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
]
