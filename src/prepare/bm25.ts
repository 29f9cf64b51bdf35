import { minMax } from '../ranking/normalize.ts'
import { rankPairs } from '../ranking/order.ts'
import { type Artifact, defineArtifact, derived } from '../store/artifact.ts'
import type { TermCounts } from '../text/term-counts.ts'
import type { AnalyzerParams } from '../text/tokenize.ts'
import type { Extremes, Ranking } from '../types.ts'
import { createBm25Search, type WeightedTerms } from './bm25-search.ts'
import type { ImpactParams } from './impacts.ts'
import { createPostings, type Postings } from './postings.ts'
import type { Recipe } from './recipe.ts'
import { analyzer, termCounts } from './term-counts.ts'
import { units } from './units.ts'

export type Bm25Params = { k1: number; b: number; idf: 'lucene' | 'okapi' } & AnalyzerParams

/** Lexical search over the chunks' passage texts. */
export interface Bm25Index {
  /**
   * The `depth` chunks with the highest BM25; a chunk without a matching term is not in the list. Every occurrence of a
   * term in `text` counts. `within`: only rows whose byte is not 0.
   */
  search(text: string, depth: number, within?: Uint8Array): Ranking
  /** The same over all chunks, and between what the BM25 of all of them lies, one without a matching term having 0. */
  searchWithExtremes(text: string, depth: number): Ranking & { readonly extremes: Extremes }
  /** BM25 of chosen chunks, the same numbers; NaN for one without a matching term. */
  scores(text: string, rows: Uint32Array): Float64Array
  /** The same as `search` for terms by their numbers in the lexicon, each as often as its weight says, in this order. */
  searchTerms(query: WeightedTerms, depth: number): Ranking
}

/** BM25 over postings that all its params share: a grid over k1 and b holds the corpus once, not once a point. */
export function bm25Index(
  recipe: Recipe,
  { stemmer, stopwords, ...weighting }: Bm25Params,
): Artifact<Bm25Index> {
  const found = units(recipe)
  const inputs = { lexicon: lexicon(recipe, { stemmer, stopwords }), ...(found && { units: found }) }
  return defineArtifact({
    name: 'bm25',
    version: 2,
    params: weighting,
    inputs,
    async open(_folder, inputs) {
      const index = createBm25(await inputs.lexicon(), weighting)
      return inputs.units ? bm25ByParent(index, (await inputs.units()).parents) : index
    },
  })
}

export function createBm25({ postings, termOf, analyze }: Lexicon, params: ImpactParams): Bm25Index {
  const { search, searchWithExtremes, scores } = createBm25Search(postings, params)
  /** The known tokens of a text, in its order. */
  function termsOf(text: string): WeightedTerms {
    const terms: number[] = []
    for (const token of analyze(text)) {
      const term = termOf(token)
      if (term !== undefined) terms.push(term)
    }
    return { terms, weights: terms.map(() => 1) }
  }
  return {
    search: (text, depth, within) => search(termsOf(text), depth, within),
    searchWithExtremes: (text, depth) => searchWithExtremes(termsOf(text), depth),
    scores: (text, rows) => scores(termsOf(text), rows),
    searchTerms: (query, depth) => search(query, depth),
  }
}

/** An index over units as one over the chunks that hold them: a chunk scores as its best unit. */
export function bm25ByParent(index: Bm25Index, parents: Uint32Array): Bm25Index {
  const chunks = (parents.at(-1) ?? -1) + 1
  const bestOf = ({ rows, scores }: Ranking) => {
    const best = new Map<number, number>()
    rows.forEach((unit, i) => {
      if (!best.has(parents[unit])) best.set(parents[unit], scores[i])
    })
    return best
  }
  const matches = (text: string) => bestOf(index.search(text, parents.length))
  return {
    search(text, depth, within) {
      const found = [...matches(text)].filter(([row]) => within?.[row] !== 0)
      return rankPairs(
        found.map(([row]) => row),
        found.map(([, score]) => score),
        depth,
      )
    },
    searchWithExtremes(text, depth) {
      const best = matches(text)
      const scores = Float64Array.from(best.values())
      const { min, max } = minMax(scores)
      const extremes = best.size < chunks ? { min: Math.min(min, 0), max: Math.max(max, 0) } : { min, max }
      return { ...rankPairs([...best.keys()], scores, depth), extremes }
    },
    searchTerms(query, depth) {
      const best = bestOf(index.searchTerms(query, parents.length))
      return rankPairs([...best.keys()], [...best.values()], depth)
    },
    scores(text, rows) {
      const best = matches(text)
      return Float64Array.from(rows, (row) => best.get(row) ?? Number.NaN)
    },
  }
}

/** The chunks' terms with their postings, and how a text becomes terms: what lexical searches of one analysis share. */
export interface Lexicon {
  readonly postings: Postings
  /** The term's number; undefined where no chunk holds it. */
  readonly termOf: (term: string) => number | undefined
  readonly analyze: (text: string) => readonly string[]
}

export function lexicon(recipe: Recipe, analysis: AnalyzerParams): Artifact<Lexicon> {
  const inputs = { counts: termCounts(recipe, analysis), analyze: analyzer(recipe, analysis) }
  return derived('lexicon', inputs, ({ counts, analyze }) => createLexicon(counts, analyze))
}

export function createLexicon(counts: TermCounts, analyze: Lexicon['analyze']): Lexicon {
  const numbers = new Map(counts.terms.map((term, number) => [term, number]))
  return { postings: createPostings(counts), termOf: (term) => numbers.get(term), analyze }
}
