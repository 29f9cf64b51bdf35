/** Pattern of alternatives that no letter or digit continues, in any case. */
export function wholeWords(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, 'giu')
}

/** A text as a pattern that matches it. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Words that say nothing of a question's subject. */
const COMMON = new Set(
  'the and for are was were with from that this what when where which who whom whose why how does did has have had not but its into than then them they their there about after before between'.split(
    ' ',
  ),
)
/** Shortest word of a question that is marked. */
const SHORTEST = 3

/** Words of a question that say something of its subject, in lower case, each once. */
export function questionWords(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words)].filter((word) => word.length >= SHORTEST && !COMMON.has(word))
}
