import { isAbsolute, relative } from 'node:path'

/** Characters that control a terminal or reverse its text, except tab, line feed and the CRLF of CSV. */
const STEERING = /[^\P{Cc}\t\n\r]|\r(?!\n)|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** The one filter of everything that is printed: people's files, servers and steps may say anything. */
export function printable(text: string): string {
  return text.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of report/terminal.ts.
const PAINT = /(\x1b\[(?:0|1|31|32)m|\x1b\]8;;(?:file:\/\/[!-~]*)?\x1b\\)/

/** `printable` for texts with colours and links to files. Texts of others in them are filtered where they are put in. */
export function printablePainted(text: string): string {
  return text
    .split(PAINT)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join('')
}

export function shownPath(folder: string, path: string): string {
  const near = relative(folder, path)
  return near === '' ? '.' : near.startsWith('..') || isAbsolute(near) ? path : near
}

export function shellWord(word: string): string {
  return /^[\w./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
