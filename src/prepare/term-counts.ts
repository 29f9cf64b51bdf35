import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArrays, writeArrays } from '../store/arrays.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { countTerms, type TermCounts } from '../text/term-counts.ts'
import { type AnalyzerParams, createAnalyzer } from '../text/tokenize.ts'
import { chunkTexts } from './corpus.ts'
import type { Recipe } from './recipe.ts'

/** The terms of the chunks' passage texts, counted once for every index and embedder of the same analysis. */
export function termCounts(recipe: Recipe, { stemmer, stopwords }: AnalyzerParams): Artifact<TermCounts> {
  return defineArtifact({
    name: 'term_counts',
    version: 1,
    params: { stemmer, stopwords },
    inputs: { texts: chunkTexts(recipe) },
    async build(folder, inputs) {
      const { terms, ...arrays } = countTerms(await inputs.texts(), createAnalyzer({ stemmer, stopwords }))
      writeArrays(join(folder, 'counts.safetensors'), arrays)
      writeTerms(folder, terms)
    },
    open(folder) {
      const { arrays } = readArrays(join(folder, 'counts.safetensors'))
      return { terms: readTerms(folder), ...arrays } as unknown as TermCounts
    },
  })
}

/** Terms in the order of their numbers, as a JSON list. */
export function writeTerms(folder: string, terms: readonly string[]): void {
  writeFileSync(join(folder, 'terms.json'), JSON.stringify(terms))
}

export function readTerms(folder: string): string[] {
  return JSON.parse(readFileSync(join(folder, 'terms.json'), 'utf8'))
}
