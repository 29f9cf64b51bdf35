import { createBm25, createLexicon } from '../src/corpus/lexical/bm25.ts'
import { rankPairs } from '../src/ranking/order.ts'
import { countTerms, type TermCounts } from '../src/text/term-counts.ts'
import { askPeer } from './peer.ts'
import { type BenchRow, benchRow, syntheticTexts, timed } from './synthetic.ts'

const DEPTH = 100
/** Words of a query: typed, asked, a long question, a passage. */
const LENGTHS = [3, 8, 16, 40]
const analyze = (text: string) => text.split(' ')

/**
 * Search for the best 100 with queries of 3 to 40 words: milliseconds a query, on one core. Baseline: bm25s with numba where
 * Python has both (peers/bm25.py), else the formula over postings, sums in a map.
 */
export default {
  name: 'bm25',
  sizes: [2500, 25_000, 250_000],
  run(size: number): BenchRow[] {
    const texts = syntheticTexts(size)
    const queriesOf = (words: number) =>
      texts.slice(0, 64).map((text) => text.split(' ').slice(0, words).join(' '))
    const counts = countTerms(texts, analyze)
    const bm25 = createBm25(createLexicon(counts, analyze), { k1: 0.9, b: 0.4, idf: 'lucene' })
    const plain = plainBm25(counts)
    const peers = askPeer<number[]>('bm25.py', {
      'texts.json': JSON.stringify(texts),
      'queries.json': JSON.stringify(LENGTHS.map(queriesOf)),
    })
    return LENGTHS.map((words, place) => {
      const queries = queriesOf(words)
      const ours =
        timed(9, () => {
          for (const query of queries) bm25.search(query, DEPTH)
        }) / queries.length
      const peer = peers?.[place]
      let next = 0
      return benchRow(
        `${size} texts, ${words} words`,
        ours,
        peer === undefined ? 'the formula' : 'bm25s',
        peer ?? timed(9, () => plain(queries[next++ % queries.length])),
      )
    })
  },
}

function plainBm25({ terms, offsets, rows, counts, lengths }: TermCounts) {
  const numbers = new Map(terms.map((term, number) => [term, number]))
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return (query: string) => {
    const sums = new Map<number, number>()
    for (const token of analyze(query)) {
      const term = numbers.get(token)
      if (term === undefined) continue
      const n = offsets[term + 1] - offsets[term]
      const idf = Math.log(1 + (lengths.length - n + 0.5) / (n + 0.5))
      for (let at = offsets[term]; at < offsets[term + 1]; at++) {
        const row = rows[at]
        const score = (idf * counts[at] * 1.9) / (counts[at] + 0.9 * (0.6 + (0.4 * lengths[row]) / mean))
        sums.set(row, (sums.get(row) ?? 0) + score)
      }
    }
    return rankPairs([...sums.keys()], [...sums.values()], DEPTH)
  }
}
