/**
 * Characters that nobody sees and that never part a word: soft hyphen, zero-width space and joiners, marks of direction,
 * variation selectors, byte order mark. A zero-width non-joiner between Arabic letters parts two of Persian's stems and stays.
 */
export const INVISIBLE =
  /(?!\u200c)[\p{Cf}\p{Variation_Selector}]|\u034f|(?<!\p{Script=Arabic}\p{M}*)\u200c/gu

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

export function isBlank(text: string): boolean {
  return /^(?:[\s\p{Cf}\p{Variation_Selector}]|\u034f)*$/u.test(text)
}

/** The text with every half of a surrogate pair as U+FFFD: what writing it to a file as UTF-8 makes of it anyway. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}

/**
 * A text whose lines end with a line feed, where old programs for the Mac write a carriage return alone, and without the byte order
 * marks of files that were joined.
 */
export function plainLines(text: string): string {
  return (text.includes('\n') ? text : text.replaceAll('\r', '\n')).replaceAll('\n\ufeff', '\n')
}
