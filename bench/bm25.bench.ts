import { createBm25, createLexicon } from '../src/corpus/lexical/bm25.ts'
import { countTerms } from '../src/text/term-counts.ts'
import { askPeer } from './peer.ts'
import { type BenchRow, benchRow, syntheticTexts, timed } from './synthetic.ts'

const DEPTH = 100
/** Words of a query: typed, asked, a long question, a passage. */
const LENGTHS = [3, 8, 16, 40]
const analyze = (text: string) => text.split(' ')

/** Search for the best 100 with queries of 3 to 40 words: milliseconds a query, on one core. Peer: bm25s with numba. */
export default {
  name: 'bm25',
  sizes: [250_000],
  run(size: number): BenchRow[] {
    const texts = syntheticTexts(size)
    const queriesOf = (words: number) =>
      texts.slice(0, 64).map((text) => text.split(' ').slice(0, words).join(' '))
    const counts = countTerms(texts, analyze)
    const bm25 = createBm25(createLexicon(counts, analyze), { k1: 0.9, b: 0.4, idf: 'lucene' })
    const peers = askPeer<number[]>('bm25', {
      'texts.json': JSON.stringify(texts),
      'queries.json': JSON.stringify(LENGTHS.map(queriesOf)),
    })
    return LENGTHS.map((words, place) => {
      const queries = queriesOf(words)
      const ours =
        timed(9, () => {
          for (const query of queries) bm25.search(query, DEPTH)
        }) / queries.length
      return benchRow(`${size} texts, ${words} words`, ours, 'bm25s', peers?.[place])
    })
  },
}
