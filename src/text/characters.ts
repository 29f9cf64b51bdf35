/**
 * Characters that nobody sees and that never part a word: soft hyphen, zero-width space and joiners, marks of direction, ... A
 * zero-width non-joiner between Arabic letters parts two of Persian's stems and stays.
 */
export const INVISIBLE =
  /(?!\u200c)[\p{Cf}\p{Variation_Selector}]|\u034f|(?<!\p{Script=Arabic}\p{M}*)\u200c/gu

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

export function isBlank(text: string): boolean {
  return /^(?:[\s\p{Cf}\p{Variation_Selector}]|\u034f)*$/u.test(text)
}

/** The text with halves of surrogate pairs as U+FFFD, as writing it as UTF-8 makes of it. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}

/**
 * A text with line feeds where old programs for the Mac write carriage returns, and without inner byte order marks of joined files.
 */
export function plainLines(text: string): string {
  return (text.includes('\n') ? text : text.replaceAll('\r', '\n')).replaceAll('\n\ufeff', '\n')
}
