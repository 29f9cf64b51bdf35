/** The text with every half of a surrogate pair as U+FFFD: what writing it to a file as UTF-8 makes of it anyway. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
