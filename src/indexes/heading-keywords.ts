import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { phraseKey } from '../text/phrases.ts'
import type { Recipe } from './recipe.ts'
import { textUnits } from './text-units.ts'

/** How the corpus writes its terms: phrase key -> the form in its headings. */
export type Keywords = ReadonlyMap<string, string>

/** No keyword is shorter. */
const LEAST = 4

/** Keywords from the chunks' headings and titles. Kept in memory only. */
export function headingKeywords(recipe: Recipe): Artifact<Keywords> {
  return defineArtifact({
    name: 'heading_keywords',
    version: 1,
    params: null,
    inputs: { chunks: textUnits(recipe) },
    async open(_folder, inputs) {
      return keywordsOf((await inputs.chunks()).flatMap(({ title, section }) => [title, ...section]))
    },
  })
}

/**
 * Keywords of headings: each part between dashes and colons, without parentheses and without what stands for a number
 * at its end ("Accurate x", "Lethal 5+"), from 4 characters. Of several ways to write one, the most frequent; of
 * equally frequent ones the first by code units.
 */
export function keywordsOf(headings: readonly string[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const heading of headings)
    for (const part of heading.replace(/\([^()]*\)/gu, ' ').split(/\s[-–—]\s|:\s/u)) {
      const form = part
        .replace(/\s+(?:[xX]|\d+\+?)$/u, '')
        .trim()
        .replace(/\s+/g, ' ')
      if (form.length < LEAST) continue
      const forms = counts.get(phraseKey(form)) ?? new Map<string, number>()
      forms.set(form, (forms.get(form) ?? 0) + 1)
      counts.set(phraseKey(form), forms)
    }
  return new Map([...counts].map(([key, forms]) => [key, mostFrequent(forms)]))
}

function mostFrequent(forms: ReadonlyMap<string, number>): string {
  return [...forms].sort(([a, times], [b, other]) => other - times || (a < b ? -1 : 1))[0][0]
}
