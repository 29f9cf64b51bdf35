import type { ComponentChildren } from 'preact'

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

export type Mark = (text: string) => ComponentChildren

/** Marks words of the question and answers. */
export function markerOf(question: string, answers: readonly string[]): Mark {
  const words = questionWords(question)
  const wanted = answers.filter((answer) => answer.trim().length > 1).map(literal)
  if (words.length + wanted.length === 0) return (text) => text
  const alternatives = [
    ...wanted.map((answer) => `(${answer})`),
    ...(words.length > 0 ? [`(?:${words.map(literal).join('|')})`] : []),
  ]
  const pattern = wholeWords(alternatives.join('|'))
  return (text) => {
    const parts: ComponentChildren[] = []
    let end = 0
    for (const match of text.matchAll(pattern)) {
      parts.push(text.slice(end, match.index))
      const isAnswer = match.slice(1).some((group) => group !== undefined)
      parts.push(
        <mark key={match.index} class={isAnswer ? 'answer' : 'term'}>
          {match[0]}
        </mark>,
      )
      end = match.index + match[0].length
    }
    return parts.length === 0 ? text : [...parts, text.slice(end)]
  }
}
