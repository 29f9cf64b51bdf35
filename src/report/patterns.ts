/** Pattern of alternatives as whole words, in any case. */
export function wholeWords(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, 'giu')
}

/** Escapes a text for a pattern. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Words without a subject. */
const COMMON = new Set(
  'the and for are was were with from that this what when where which who whom whose why how does did has have had not but its into than then them they their there about after before between'.split(
    ' ',
  ),
)
const SHORTEST = 3

/** Distinct words on the question's subject, in lower case. */
export function questionWords(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words)].filter((word) => word.length >= SHORTEST && !COMMON.has(word))
}
