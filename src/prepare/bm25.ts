import { minMax } from '../ranking/normalize.ts'
import { rankPairs } from '../ranking/order.ts'
import { type Artifact, defineArtifact, derived } from '../store/artifact.ts'
import type { TermCounts } from '../text/term-counts.ts'
import type { AnalyzerParams } from '../text/tokenize.ts'
import type { Extremes, Ranking } from '../types.ts'
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

/** Terms by their numbers, and how much each counts. */
export interface WeightedTerms {
  readonly terms: readonly number[]
  readonly weights: readonly number[]
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

/** Adds up impacts: one float64 accumulator a chunk, filled token by token in the query's order, cleared after use. */
export function createBm25({ counts, termOf, analyze }: Lexicon, params: ImpactParams): Bm25Index {
  const { offsets, rows, counts: frequencies } = counts
  const { idf, norms, gain } = weighTerms(counts, params)
  const chunks = counts.lengths.length
  const accumulator = new Float64Array(chunks)
  // An okapi impact may be 0, so a sum of 0 does not say that nothing matched.
  const matched = new Uint8Array(chunks)
  const touched = new Uint32Array(chunks)

  /** Adds a term's impacts; returns how many rows are matched by then. */
  function add(term: number, weight: number, count: number): number {
    let met = count
    const end = offsets[term + 1]
    for (let at = offsets[term]; at < end; at++) {
      const row = rows[at]
      const tf = frequencies[at]
      if (matched[row] === 0) {
        matched[row] = 1
        touched[met++] = row
      }
      accumulator[row] += (weight * (tf * gain)) / (tf + norms[row])
    }
    return met
  }

  /** The first `count` matched rows with their sums, cleared. */
  function take(count: number): Pick<Ranking, 'rows' | 'scores'> {
    const found = touched.slice(0, count)
    const scores = new Float64Array(count)
    for (let i = 0; i < count; i++) {
      scores[i] = accumulator[found[i]]
      accumulator[found[i]] = 0
      matched[found[i]] = 0
    }
    return { rows: found, scores }
  }

  function matches(text: string): Pick<Ranking, 'rows' | 'scores'> {
    let count = 0
    for (const token of analyze(text)) {
      const term = termOf(token)
      if (term !== undefined) count = add(term, idf[term], count)
    }
    return take(count)
  }

  return {
    searchWithExtremes(text, depth) {
      const { rows, scores } = matches(text)
      const { min, max } = minMax(scores)
      const extremes =
        scores.length < chunks ? { min: Math.min(min, 0), max: Math.max(max, 0) } : { min, max }
      return { ...rankPairs(rows, scores, depth), extremes }
    },
    scores(text, chosen) {
      const sums = new Float64Array(chosen.length).fill(Number.NaN)
      for (const token of analyze(text)) {
        const term = termOf(token)
        if (term === undefined) continue
        const end = offsets[term + 1]
        for (let i = 0; i < chosen.length; i++) {
          const at = placeOf(rows, chosen[i], offsets[term], end)
          if (at === end || rows[at] !== chosen[i]) continue
          const tf = frequencies[at]
          const impact = (idf[term] * (tf * gain)) / (tf + norms[chosen[i]])
          sums[i] = Number.isNaN(sums[i]) ? 0 + impact : sums[i] + impact
        }
      }
      return sums
    },
    searchTerms({ terms, weights }, depth) {
      let count = 0
      terms.forEach((term, i) => {
        count = add(term, weights[i] * idf[term], count)
      })
      const { rows, scores } = take(count)
      return rankPairs(rows, scores, depth)
    },
    search(text, depth, within) {
      const { rows, scores } = matches(text)
      if (!within) return rankPairs(rows, scores, depth)
      const inside = (_: number, i: number) => within[rows[i]] !== 0
      return rankPairs(rows.filter(inside), scores.filter(inside), depth)
    },
  }
}

/** The first place from `begin` to `end` of ascending `rows` that holds `row` or a higher one; `end` where none does. */
function placeOf(rows: Uint32Array, row: number, begin: number, end: number): number {
  let low = begin
  let high = end
  while (low < high) {
    const middle = (low + high) >> 1
    if (rows[middle] < row) low = middle + 1
    else high = middle
  }
  return low
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

/**
 * BM25 (Robertson et al., TREC-3, 1994), as a sum of impacts over the query's tokens:
 *
 *     impact(t, d) = idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length(d) / meanLength))
 *     lucene: idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5))
 *     okapi:  idf(t) = ln((N - n + 0.5) / (n + 0.5)), negative ones replaced by 0.25 x the mean idf (as rank_bm25 does)
 *
 * with N chunks, n of them holding t; lengths in tokens. The okapi mean is over the terms, before any is replaced.
 */
export interface ImpactParams {
  readonly k1: number
  readonly b: number
  readonly idf: 'lucene' | 'okapi'
}

/** What an impact is made of besides tf: impact = (idf[t] * (tf * gain)) / (tf + norms[d]). */
export interface Weighting {
  /** By term. */
  readonly idf: Float64Array
  /** By chunk. */
  readonly norms: Float64Array
  readonly gain: number
}

export function weighTerms({ offsets, lengths }: TermCounts, { k1, b, idf }: ImpactParams): Weighting {
  const chunks = lengths.length
  const mean = lengths.reduce((sum, length) => sum + length, 0) / chunks
  return {
    idf: idf === 'lucene' ? luceneIdf(offsets, chunks) : okapiIdf(offsets, chunks),
    norms: Float64Array.from(lengths, (length) => k1 * (1 - b + (b * length) / mean)),
    gain: k1 + 1,
  }
}

function luceneIdf(offsets: Uint32Array, chunks: number): Float64Array {
  return perTerm(offsets, (n) => Math.log(1 + (chunks - n + 0.5) / (n + 0.5)))
}

function okapiIdf(offsets: Uint32Array, chunks: number): Float64Array {
  const weights = perTerm(offsets, (n) => Math.log((chunks - n + 0.5) / (n + 0.5)))
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length
  return weights.map((weight) => (weight < 0 ? 0.25 * mean : weight))
}

function perTerm(offsets: Uint32Array, weight: (n: number) => number): Float64Array {
  return Float64Array.from({ length: offsets.length - 1 }, (_, term) =>
    weight(offsets[term + 1] - offsets[term]),
  )
}

/** The chunks' terms with their postings, and how a text becomes terms: what lexical searches of one analysis share. */
export interface Lexicon {
  readonly counts: TermCounts
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
  return { counts, termOf: (term) => numbers.get(term), analyze }
}
