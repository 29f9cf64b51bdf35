import { textUnits } from '../../../corpus/corpus.ts'
import { analyzer, termCounts } from '../../../corpus/lexical/term-counts.ts'
import type { Recipe } from '../../../corpus/recipe.ts'
import { derived } from '../../../store/artifact.ts'
import { sentences } from '../../../text/sentences.ts'
import { ANALYSIS } from '../../../text/tokenize.ts'

/** Tests chunks against a query: true for those with a sentence that has enough of the query's words. */
type RelevanceTest = (query: string, threshold: number) => (chunk: number) => boolean

/**
 * A test of relevance by sentences, in place of a language model: a chunk is relevant if a sentence of it has at least
 * `threshold` of the weight of the query's content words.
 *
 *     weight of a word  ln(1 + chunks / chunks with the word)
 *
 * Words that no chunk has weigh nothing. A query without a known word has no relevant chunk.
 */
export function relevanceTest(recipe: Recipe) {
  const inputs = {
    units: textUnits(recipe),
    counts: termCounts(recipe, ANALYSIS),
    analyze: analyzer(recipe, ANALYSIS),
  }
  return derived('relevance_test', inputs, ({ units, counts, analyze }): RelevanceTest => {
    const numbers = new Map(counts.terms.map((term, number) => [term, number]))
    const weightOf = (term: string) => {
      const number = numbers.get(term)
      if (number === undefined) return 0
      return Math.log(1 + counts.lengths.length / (counts.offsets[number + 1] - counts.offsets[number]))
    }
    return (query, threshold) => {
      const weights = new Map([...new Set(analyze(query))].map((term) => [term, weightOf(term)]))
      const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
      return (chunk) => {
        const { title, text } = units[chunk]
        const heading = analyze(title)
        return sentences(text).some(({ start, end }) => {
          const words = new Set([...heading, ...analyze(text.slice(start, end))])
          let sum = 0
          for (const word of words) sum += weights.get(word) ?? 0
          return sum > 0 && sum >= threshold * total
        })
      }
    }
  })
}
