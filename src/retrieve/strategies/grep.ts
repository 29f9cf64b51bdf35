import { z } from 'zod'
import { chunkTexts } from '../../corpus/corpus.ts'
import { analyzer } from '../../corpus/lexical/term-counts.ts'
import { addTo } from '../../maps.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankScores } from '../../ranking/order.ts'
import { derived } from '../../store/artifact.ts'
import type { Analyzer } from '../../text/tokenize.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { pool, share } from '../steps/params.ts'
import { defineStrategy } from './index.ts'

interface Term {
  readonly text: string
  readonly rows: Uint32Array
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ')

interface Finder {
  readonly chunks: number
  /** Rows of the chunks that contain a text, which is folded; null if they are more than `most`. */
  find(text: string, most?: number): Uint32Array | null
}

/**
 * Literal search as `grep --ignore-case` does it. A text can only be in chunks with a word that contains its longest part, so
 * all distinct words are searched in place of all texts.
 */
export function openFinder(chunks: readonly string[]): Finder {
  const texts = chunks.map(fold)
  const rowsOf = new Map<string, number[]>()
  for (const [row, text] of texts.entries())
    for (const word of new Set(text.split(' '))) addTo(rowsOf, word, row)
  const words = ` ${[...rowsOf.keys()].join(' ')} `
  return {
    chunks: texts.length,
    find(text, most = texts.length) {
      const [part] = text.split(' ').sort((a, b) => b.length - a.length)
      const rows = new Set<number>()
      for (let at = words.indexOf(part); at >= 0; ) {
        const end = words.indexOf(' ', at)
        for (const row of rowsOf.get(words.slice(words.lastIndexOf(' ', at) + 1, end)) ?? [])
          if (part === text || texts[row].includes(text)) rows.add(row)
        if (rows.size > most) return null
        at = words.indexOf(part, end)
      }
      return Uint32Array.from(rows).sort()
    },
  }
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
  { chunks, find }: Finder,
  { analyze, rare }: { readonly analyze: Analyzer; readonly rare: number },
): Term[] {
  const words = (question.match(new RegExp(WORD, 'gu')) ?? []).filter((word) => analyze(word).length > 0)
  const quoted = [...question.matchAll(QUOTED)].map((match) => match.slice(1).find(Boolean) ?? '')
  const names = question.match(NAME) ?? []
  const seen = new Set([''])
  const terms = (parts: readonly string[], most?: number) =>
    parts.flatMap((part): Term[] => {
      const text = fold(part).replace(/^[\p{P}\s]+|(?<![\p{P}\s])[\p{P}\s]+$/gu, '')
      if (seen.has(text)) return []
      seen.add(text)
      const rows = find(text, most)
      return rows && rows.length > 0 ? [{ text, rows }] : []
    })
  const isNumber = (word: string) => /\p{N}/u.test(word)
  return [
    ...terms(quoted),
    ...terms(names.map((name) => withoutStopWords(name, analyze))),
    ...terms(words.filter(isNumber)),
    ...terms(words, Math.max(1, Math.floor(rare * chunks))).sort((a, b) => a.rows.length - b.rows.length),
  ].slice(0, MOST)
}

/** A name without stop words at its beginning, as `Who` in `Who Almar Voss taught`. */
function withoutStopWords(name: string, analyze: Analyzer): string {
  const words = name.split(/\s+/)
  const first = words.findIndex((word) => analyze(word).length > 0)
  return first < 0 ? '' : words.slice(first).join(' ')
}

const chooseTerms = defineStep({
  name: 'grep-terms',
  isLexical: true,
  artifacts: (recipe, _: { readonly rare: number }) => ({
    finder: derived('finder', { texts: chunkTexts(recipe) }, ({ texts }) => openFinder(texts)),
    analyze: analyzer(recipe),
  }),
  facts: ({ terms }: { readonly terms: readonly Term[] }) => ({
    notes: { 'grep for': terms.map(({ text }) => text).join(' | ') },
  }),
  run: ([{ text, lexical }]: [Query], { params: { rare }, artifacts: { finder, analyze } }) => ({
    terms: grepTerms(lexical ?? text, finder, { analyze, rare }),
    chunks: finder.chunks,
  }),
})

const rankMatches = defineStep({
  name: 'grep',
  channel: 'lexical',
  within: true,
  run: (
    [{ terms, chunks }, mask]: [{ readonly terms: readonly Term[]; readonly chunks: number }, Mask?],
    { params: { depth } }: { readonly params: { readonly depth: number } },
  ) => {
    const scores = new Float64Array(chunks)
    for (const [at, { rows }] of terms.entries()) for (const row of rows) scores[row] += 1 + 2 ** -(at + 1)
    return rankScores(scores, depth, { above: 0, within: mask?.kept })
  },
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
