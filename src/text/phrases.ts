/** Finding whole words and phrases in running text. */

/** Matches any of the phrases as whole words, the longest first; as written, or in any case. Phrases are no patterns. */
export function phrasePattern(phrases: readonly string[], anyCase: boolean): RegExp {
  const longest = [...phrases].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const escaped = longest.map((phrase) =>
    phrase.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+'),
  )
  // Nothing matches where there is no phrase.
  const any = escaped.length > 0 ? escaped.join('|') : '(?!)'
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, anyCase ? 'giu' : 'gu')
}

/** How a phrase is looked up: lower case, white space as single spaces. */
export function phraseKey(phrase: string): string {
  return phrase.trim().toLowerCase().replace(/\s+/g, ' ')
}
