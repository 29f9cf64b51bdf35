import type { ComponentChildren } from 'preact'
import { literal, questionWords, wholeWords } from '../patterns.ts'

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
