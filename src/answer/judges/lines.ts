import { BadCompletion } from '../../models/chat/json.ts'
import { withoutMarks } from '../../text/passage-marks.ts'

/** Texts as lines of a prompt, each with its number from 1. */
export function numbered(texts: readonly string[]): string {
  return texts
    .map((text, index) => `${index + 1}. ${withoutMarks(text.replace(/\s+/g, ' ').trim())}`)
    .join('\n')
}

/** Reference answers as lines of a prompt. */
export function listed(texts: readonly string[]): string {
  return texts.map((text) => `- ${withoutMarks(text)}`).join('\n')
}

/** The value of each number from 1 to `count`. Throws where one is missing or there twice: half a verdict is none. */
export function eachNumber<T>(
  count: number,
  given: readonly (readonly [number: number, value: T])[],
  word: string,
): T[] {
  const values = new Map(given)
  if (given.length !== count || values.size !== count || given.some(([n]) => n < 1 || n > count))
    throw new BadCompletion(
      `the judge was given ${count} ${word}s and judged others: ${given.map(([n]) => n).join(', ')}`,
    )
  return Array.from({ length: count }, (_, index) => values.get(index + 1) as T)
}
