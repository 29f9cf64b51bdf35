import { z } from 'zod'
import { chunkTexts } from '../../corpus/corpus.ts'
import { analyzer } from '../../corpus/lexical/term-counts.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankScores } from '../../ranking/order.ts'
import { type Artifact, derived } from '../../store/artifact.ts'
import type { Analyzer } from '../../text/tokenize.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { pool, share } from '../steps/params.ts'
import { defineStrategy } from './index.ts'

/** A text to look for and the rows of the chunks that contain it, ascending. */
interface Term {
  readonly text: string
  readonly rows: Uint32Array
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ')

/** Texts of the chunks as `grep --ignore-case` compares them. */
function foldedTexts(recipe: Recipe): Artifact<readonly string[]> {
  return derived('folded_texts', { texts: chunkTexts(recipe) }, ({ texts }) => texts.map(fold))
}

const QUOTED = /"([^"]+)"|“([^”]+)”|«([^»]+)»|„([^“”]+)[“”]/gu
const WORD = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’.,:/_-](?=[\p{L}\p{N}]))*`
const NAME = /\p{Lu}(?:(?!\p{P}\s)\S)*(?:\s+\p{Lu}(?:(?!\p{P}\s)\S)*)*/gu

/** Terms of one query; more are not searched. Scores of this many are exact. */
const MOST = 40

/**
 * Terms of a question in the order of their worth: quoted parts, names (runs of capitalised words), numbers, and the other words,
 * rarest first. A word counts if it is no stop word and in at most the share `rare` of the chunks. Terms that no chunk contains
 * are left out.
 */
export function grepTerms(
  question: string,
  texts: readonly string[],
  { analyze, rare }: { readonly analyze: Analyzer; readonly rare: number },
): Term[] {
  const words = (question.match(new RegExp(WORD, 'gu')) ?? []).filter((word) => analyze(word).length > 0)
  const quoted = [...question.matchAll(QUOTED)].map((match) => match.slice(1).find(Boolean) ?? '')
  const names = question.match(NAME) ?? []
  const find = (text: string): Term => ({
    text,
    rows: Uint32Array.from(texts.keys()).filter((row) => texts[row].includes(text)),
  })
  const seen = new Set([''])
  const terms = (parts: readonly string[]) =>
    parts.flatMap((part) => {
      const text = fold(part).replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '')
      if (seen.has(text)) return []
      seen.add(text)
      const term = find(text)
      return term.rows.length > 0 ? [term] : []
    })
  const isNumber = (word: string) => /\p{N}/u.test(word)
  const rareWords = (all: readonly Term[]) =>
    all
      .filter(({ rows }) => rows.length <= Math.max(1, rare * texts.length))
      .sort((a, b) => a.rows.length - b.rows.length)
  return [
    ...terms(quoted),
    ...terms(names.map((name) => withoutStopWords(name, analyze))),
    ...terms(words.filter(isNumber)),
    ...rareWords(terms(words)),
  ].slice(0, MOST)
}

/** A name without stop words at its beginning, as `Who` in `Who Almar Voss taught`. */
function withoutStopWords(name: string, analyze: Analyzer): string {
  const words = name.split(/\s+/)
  const first = words.findIndex((word) => analyze(word).length > 0)
  return first < 0 ? '' : words.slice(first).join(' ')
}

/** Score of each chunk: its number of terms, plus 2^-i for the i-th term of the query (from 1), which orders equal numbers. */
function scoreTerms(terms: readonly Term[], chunks: number): Float64Array {
  const scores = new Float64Array(chunks)
  for (const [at, { rows }] of terms.entries()) for (const row of rows) scores[row] += 1 + 2 ** -(at + 1)
  return scores
}

const chooseTerms = defineStep({
  name: 'grep-terms',
  version: 1,
  isLexical: true,
  artifacts: (recipe, _params: { readonly rare: number }) => ({
    texts: foldedTexts(recipe),
    analyze: analyzer(recipe),
  }),
  facts: ({ terms }: { readonly terms: readonly Term[] }) => ({
    notes: { 'grep for': terms.map(({ text }) => text).join(' | ') },
  }),
  run: ([{ text, lexical }]: readonly [Query], { params: { rare }, artifacts: { texts, analyze } }) => ({
    terms: grepTerms(lexical ?? text, texts, { analyze, rare }),
    chunks: texts.length,
  }),
})

const rankMatches = defineStep({
  name: 'grep',
  version: 1,
  channel: 'lexical',
  yields: 'ranking',
  within: true,
  run: (
    [{ terms, chunks }, mask]: readonly [{ readonly terms: readonly Term[]; readonly chunks: number }, Mask?],
    { params: { depth } }: { readonly params: { readonly depth: number } },
  ) => rankScores(scoreTerms(terms, chunks), depth, { above: 0, within: mask?.kept }),
})

/** The `depth` chunks with the most terms of a query, by literal search. */
export function searchGrep(
  query: Expression<Query>,
  { depth, rare = RARE }: { readonly depth: number; readonly rare?: number },
): Expression<Ranking> {
  return rankMatches([chooseTerms([query], { rare })], { depth })
}

const RARE = 0.05

/**
 * Literal search for parts of the question, which is all that an agent can do without an index:
 *
 *     score(chunk) = sum over the terms it contains of 1 + 2^-i, i the term's place in the query's list from 1
 */
export default defineStrategy({
  name: 'grep',
  summary: 'literal search without an index: names, numbers, quoted parts and rare words of the query',
  source: 'Touchstone; grep --fixed-strings --ignore-case over chunks',
  params: z.strictObject({
    rare: share(RARE, 'largest share of the chunks that contain a word for the word to be searched for'),
    pool: pool(),
  }),
  make: ({ rare, pool: depth }) => ({
    retrieve: (query) => ({ ranking: searchGrep(query, { depth, rare }) }),
  }),
})
