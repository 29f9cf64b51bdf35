/**
 * Characters that could control a terminal or reverse its text: control characters except tab, line feed and the CRLF of CSV, and the
 * marks that change the direction of writing.
 */
const STEERING = /[^\P{Cc}\t\n\r]|\r(?!\n)|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** The one filter of everything that is printed: people's files, servers and steps may say anything. JSON stays JSON. */
export function printable(text: string): string {
  return text.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
