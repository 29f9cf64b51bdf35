import { oncePer } from '../../maps.ts'
import { lowerBound, type Mask } from '../../ranking/mask.ts'
import { minMax } from '../../ranking/normalize.ts'
import { rankPairs } from '../../ranking/order.ts'
import { type Artifact, defineArtifact, derived } from '../../store/artifact.ts'
import { countsOfTexts, type TermCounts } from '../../text/term-counts.ts'
import type { Extremes, Ranking } from '../../types.ts'
import { unitMasks, units } from '../chunks/units.ts'
import type { Recipe } from '../recipe.ts'
import { type Fields, fieldCounts } from './fields.ts'
import {
  createSums,
  type ImpactParams,
  type Postings,
  type Sums,
  type WeightedTerms,
  weighTerms,
} from './sums.ts'
import { indexAnalyzer, indexCounts } from './term-counts.ts'

export type Bm25Params = { k1: number; b: number; idf: 'lucene' | 'okapi'; fields?: Fields | undefined }

export function bm25Index(recipe: Recipe, { fields, k1, b, idf }: Bm25Params): Artifact<Bm25Index> {
  const unitIndex = units(recipe)
  // Lengths of fields are applied before fields are summed (fields.ts).
  const weighting = { k1, b: fields ? 0 : b, idf }
  const inputs = {
    lexicon: fields ? fieldLexicon(recipe, fields, b) : lexicon(recipe),
    ...(unitIndex && { units: unitIndex }),
  }
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

export function lexicon(recipe: Recipe): Artifact<Lexicon> {
  const inputs = { counts: indexCounts(recipe), analyze: indexAnalyzer(recipe) }
  return derived('lexicon', inputs, ({ counts, analyze }) => createLexicon(counts, analyze))
}

function fieldLexicon(recipe: Recipe, fields: Fields, b: number): Artifact<Lexicon> {
  const inputs = { counts: fieldCounts(recipe, fields, b), analyze: indexAnalyzer(recipe) }
  return derived('field_lexicon', inputs, ({ counts: { all, of }, analyze }) =>
    createLexicon(all, analyze, of),
  )
}

interface Bm25Index extends Bm25Scores {
  /**
   * The `depth` chunks with the highest BM25 that have a term of the text. Every occurrence of a term in `text`
   * counts. `allowed`: a byte for each row, 0 for rows to leave out.
   */
  search(text: string, depth: number, allowed?: Uint8Array): Ranking
  searchTerms(query: WeightedTerms, depth: number, allowed?: Uint8Array): Ranking
  /** Index of the mask's chunks, with their own idf and mean length; rows are the corpus's. */
  alone(mask: Mask): Bm25Scores
}

interface Bm25Scores {
  /**
   * Searches, and gives the lowest and highest BM25 over all chunks (of the mask); a chunk without a matching term
   * has 0.
   */
  searchWithExtremes(text: string, depth: number, mask?: Mask): Ranking & { readonly extremes: Extremes }
  /** BM25 of `rows`, with the same bits as `search`; NaN for a chunk without a matching term. */
  scores(text: string, rows: Uint32Array): Float64Array
}

export function createBm25(lexicon: Lexicon, params: ImpactParams): Bm25Index {
  const { postings, sums, termOf, analyze } = lexicon
  const weighting = weighTerms(postings, params)
  const addUp = (text: string) => sums.add(weighting, termsOf(text))
  function termsOf(text: string): WeightedTerms {
    const terms: number[] = []
    for (const token of analyze(text)) {
      const term = termOf(token)
      if (term !== undefined) terms.push(term)
    }
    return { terms, weights: terms.map(() => 1) }
  }
  return {
    search(text, depth, allowed) {
      addUp(text)
      return sums.best(depth, allowed)
    },
    searchWithExtremes(text, depth, mask) {
      const scores = addUp(text)
      const { min, max } = minMax(mask ? Float64Array.from(mask.rows, (row) => scores[row]) : scores)
      return { ...sums.best(depth, mask?.kept), extremes: { min: min + 0, max: max + 0 } }
    },
    scores(text, rows) {
      const scores = addUp(text)
      return Float64Array.from(rows, (row) => (Object.is(scores[row], -0) ? Number.NaN : scores[row]))
    },
    searchTerms(query, depth, allowed) {
      sums.add(weighting, query)
      return sums.best(depth, allowed)
    },
    alone: oncePer((mask: Mask) => inCorpus(createBm25(lexicon.alone(mask), params), mask)),
  }
}

function inCorpus(index: Bm25Scores, { rows: inMask }: Mask): Bm25Scores {
  return {
    searchWithExtremes(text, depth) {
      const matches = index.searchWithExtremes(text, depth)
      return { ...matches, rows: matches.rows.map((row) => inMask[row]) }
    },
    scores: (text, rows) =>
      index.scores(
        text,
        rows.map((row) => lowerBound(inMask, row)),
      ),
  }
}

/** Terms, postings and query analyzer of a recipe, shared by all its lexical searches. */
export interface Lexicon {
  readonly postings: Postings
  readonly sums: Sums
  readonly termOf: (term: string) => number | undefined
  readonly analyze: (text: string) => readonly string[]
  /** Lexicon of the mask's chunks, rows counted from 0. */
  readonly alone: (mask: Mask) => Lexicon
}

export function createLexicon(
  postings: Postings,
  analyze: Lexicon['analyze'],
  of = (rows: Uint32Array): Postings => countsOfTexts(postings as TermCounts, rows),
): Lexicon {
  const numbers = new Map(postings.terms.map((term, number) => [term, number]))
  return {
    postings,
    sums: createSums(postings),
    termOf: (term) => numbers.get(term),
    analyze,
    alone: oncePer((mask: Mask) =>
      createLexicon(of(mask.rows), analyze, (rows) => of(rows.map((row) => mask.rows[row]))),
    ),
  }
}

/** Search over chunks by their units: a chunk scores as its best unit. */
export function bm25ByParent(index: Bm25Index, parents: Uint32Array): Bm25Index {
  const chunks = (parents.at(-1) ?? -1) + 1
  const unitsOf = unitMasks(parents)
  const bestOf = ({ rows, scores }: Ranking, allowed?: Uint8Array) => {
    const best = new Map<number, number>()
    rows.forEach((unit, i) => {
      const row = parents[unit]
      if (!best.has(row) && allowed?.[row] !== 0) best.set(row, scores[i])
    })
    return { rows: Uint32Array.from(best.keys()), scores: Float64Array.from(best.values()), best }
  }
  const scored = (matches: (text: string) => Ranking, all: number): Bm25Scores => ({
    searchWithExtremes(text, depth, mask) {
      const { rows, scores } = bestOf(matches(text), mask?.kept)
      return { ...rankPairs(rows, scores, depth), extremes: extremesOf(scores, mask?.rows.length ?? all) }
    },
    scores(text, rows) {
      const { best } = bestOf(matches(text))
      return Float64Array.from(rows, (row) => best.get(row) ?? Number.NaN)
    },
  })
  return {
    ...scored((text) => index.search(text, parents.length), chunks),
    alone(mask) {
      const maskScores = index.alone(unitsOf(mask))
      return scored((text) => maskScores.searchWithExtremes(text, parents.length), mask.rows.length)
    },
    search(text, depth, allowed) {
      const { rows, scores } = bestOf(index.search(text, parents.length), allowed)
      return rankPairs(rows, scores, depth)
    },
    searchTerms(query, depth, allowed) {
      const { rows, scores } = bestOf(index.searchTerms(query, parents.length), allowed)
      return rankPairs(rows, scores, depth)
    },
  }
}

/** Lowest and highest BM25 of `all` chunks; a chunk without a score has 0. */
function extremesOf(scores: Float64Array, all: number): Extremes {
  const { min, max } = minMax(scores)
  return scores.length < all ? { min: Math.min(min, 0), max: Math.max(max, 0) } : { min, max }
}
