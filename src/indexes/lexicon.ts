import { type Artifact, defineArtifact } from '../store/artifact.ts'
import type { TermCounts } from '../text/term-counts.ts'
import { type AnalyzerParams, createAnalyzer } from '../text/tokenize.ts'
import type { Recipe } from './recipe.ts'
import { termCounts } from './term-counts.ts'

/** The chunks' terms with their postings, and how a text becomes terms: what lexical searches of one analysis share. */
export interface Lexicon {
  readonly counts: TermCounts
  /** The term's number; undefined where no chunk holds it. */
  readonly termOf: (term: string) => number | undefined
  readonly analyze: (text: string) => readonly string[]
}

export function lexicon(recipe: Recipe, analyzer: AnalyzerParams): Artifact<Lexicon> {
  return defineArtifact({
    name: 'lexicon',
    version: 1,
    params: null,
    inputs: { counts: termCounts(recipe, analyzer) },
    open: async (_folder, inputs) => createLexicon(await inputs.counts(), createAnalyzer(analyzer)),
  })
}

export function createLexicon(counts: TermCounts, analyze: Lexicon['analyze']): Lexicon {
  const numbers = new Map(counts.terms.map((term, number) => [term, number]))
  return { counts, termOf: (term) => numbers.get(term), analyze }
}
