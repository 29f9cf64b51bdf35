import { generate } from '../scripts/world/generate.ts'
import { chunkDocuments } from '../src/corpus/chunks/chunk.ts'
import { openVectors } from '../src/corpus/dense/vectors.ts'
import { withSelfEdges } from '../src/corpus/graph/csr.ts'
import { createWalk, pagerank } from '../src/corpus/graph/pagerank.ts'
import { linkByTitles } from '../src/corpus/graph/title-links.ts'
import { indexTitles } from '../src/corpus/graph/titles.ts'
import { createBm25, createLexicon } from '../src/corpus/lexical/bm25.ts'
import { createFolder, fitLsa } from '../src/models/lsa/model.ts'
import { rankScores } from '../src/ranking/order.ts'
import { rowCount } from '../src/tables/column.ts'
import { countTerms } from '../src/text/term-counts.ts'
import { createAnalyzer, titledText } from '../src/text/tokenize.ts'
import type { Chunk, Document } from '../src/types.ts'

/** Passages of the worlds. */
const SIZES = [2500, 25_000, 250_000]
const QUERIES = 50
const DEPTH = 100
const SEED = 7
/** LSA is fitted on so many passages at most, and all are folded in; a fit of more takes minutes. */
const FITTED = 2500
const DIMS = 128

interface Measured {
  readonly operation: string
  /** For the whole corpus, or a query where the operation says so. */
  readonly milliseconds: number
}

/**
 * Growth of time with the size of the generated world: each operation once per size, in milliseconds, and the factor for a tenfold
 * world (10 is linear). The smaller world is the baseline. The operations of graph strategies are in their own benches, up
 * to 25,000 passages.
 */
export default {
  name: 'growth',
  run() {
    const found = new Map<string, Map<number, number>>()
    for (const size of SIZES)
      for (const { operation, milliseconds } of measure(size)) {
        const times = found.get(operation) ?? new Map<number, number>()
        found.set(operation, times.set(size, milliseconds))
      }
    return [...found].map(([operation, times]) => {
      const growth = SIZES.slice(1).map((size, place) => {
        const [before, after] = [times.get(SIZES[place]), times.get(size)]
        return [`x ${size / SIZES[place]}, to ${size}`, before && after ? after / before : null] as const
      })
      return {
        case: operation,
        ...Object.fromEntries(SIZES.map((size) => [`${size}_ms`, times.get(size) ?? null])),
        ...Object.fromEntries(growth),
      }
    })
  },
}

function* measure(passages: number): Generator<Measured> {
  const documents: Document[] = []
  const questions: string[] = []
  yield timed('generate the world', () => {
    for (const part of generate(SEED, { passages, queries: QUERIES })) {
      for (const { title, text } of part.passages)
        documents.push({ id: `p${String(documents.length).padStart(7, '0')}`, title, text, metadata: {} })
      questions.push(...part.questions.map(({ text }) => text))
    }
  })
  let chunks: Chunk[] = []
  yield timed('chunk, with tokens counted', () => {
    chunks = chunkDocuments(documents, { name: 'passages', params: {} })
  })
  const texts = chunks.map(titledText)
  const analyze = createAnalyzer({ stemmer: 'porter2', stopwords: 'english' })
  let counts = countTerms([], analyze)
  yield timed('count terms', () => {
    counts = countTerms(texts, analyze)
  })
  let bm25 = createBm25(createLexicon(countTerms(['none'], analyze), analyze), IMPACTS)
  yield timed('BM25 index', () => {
    bm25 = createBm25(createLexicon(counts, analyze), IMPACTS)
  })
  yield perQuery('BM25 search, a query', questions, (question) => bm25.search(question, DEPTH))

  const model = fitLsa(countTerms(texts.slice(0, FITTED), analyze), { dims: DIMS, seed: 0 }, () => {})
  const fold = createFolder(model)
  const matrix = new Float32Array(texts.length * model.dims)
  yield timed(`LSA projection, ${model.dims} dims`, () => {
    texts.forEach((text, row) => {
      matrix.set(fold(analyze(text)), row * model.dims)
    })
  })
  const vectors = openVectors(rowCount(matrix, model.dims), model.dims)
  const asked = new Map(questions.map((question) => [question, fold(analyze(question))]))
  yield perQuery(`dense search, ${model.dims} dims, a query`, questions, (question) =>
    vectors.search([asked.get(question) as Float32Array], DEPTH),
  )

  const titles = indexTitles(chunks.map(({ title }) => title))
  let walk = createWalk(linkByTitles([], indexTitles([])).csr)
  yield timed('title links', () => {
    const { csr } = linkByTitles(
      chunks.map(({ text }) => text),
      titles,
    )
    walk = createWalk(withSelfEdges(csr))
  })
  const starts = new Map(questions.map((question) => [question, bm25.search(question, 20)]))
  yield perQuery('title walk from 20 passages, a query', questions, (question) => {
    const { rows, scores } = starts.get(question) as ReturnType<typeof bm25.search>
    return pagerank(walk, [{ nodes: rows, weights: scores }], 0.5, (scores) => rankScores(scores, DEPTH))
  })
}

const IMPACTS = { k1: 0.9, b: 0.4, idf: 'lucene' } as const

function timed(operation: string, call: () => void): Measured {
  const begin = performance.now()
  call()
  return { operation, milliseconds: performance.now() - begin }
}

/** The middle query's time, after a round that is not counted. */
function perQuery(
  operation: string,
  questions: readonly string[],
  call: (question: string) => unknown,
): Measured {
  questions.forEach(call)
  const times = questions.map((question) => timed(operation, () => call(question)).milliseconds)
  return { operation, milliseconds: times.sort((a, b) => a - b)[times.length >> 1] }
}
