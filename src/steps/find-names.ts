import { findNames } from '../graph/names.ts'
import { sentences } from '../text/sentences.ts'
import type { Query } from '../types.ts'
import { defineStep } from './step.ts'

const NONE: ReadonlyMap<string, number> = new Map()

/** The names and dates in a query by their looks (`rules`), distinct, in order. */
export const findQueryNames = defineStep<null, [Query], Record<never, never>, readonly string[]>({
  name: 'find-names',
  version: 1,
  run([{ text }]) {
    return namesIn(text)
  },
})

/** The distinct names and dates in a text, in order. */
export function namesIn(text: string): string[] {
  const found = sentences(text).flatMap(({ start, end }) => {
    const sentence = text.slice(start, end)
    return findNames(sentence, NONE).map((name) => sentence.slice(name.start, name.end))
  })
  return [...new Set(found)]
}
