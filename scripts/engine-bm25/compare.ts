import { indexedTexts } from '../../src/corpus/chunks/units.ts'
import { bm25Index } from '../../src/corpus/lexical/bm25.ts'
import type { Recipe } from '../../src/corpus/recipe.ts'
import { removeIndex } from '../../src/engines/loaded.ts'
import { openSearchTexts } from '../../src/engines/opensearch.ts'
import { server } from '../../src/engines/opensearch-server.ts'
import type { Store } from '../../src/store/store.ts'
import { kendallTau } from './kendall.ts'

/**
 * BM25 of OpenSearch and of this project for the same queries, with the causes of their differences taken away one after the other:
 *
 *     search here       own tokens, exact lengths
 *     its tokens        the tokens that OpenSearch's analyzer made, exact lengths
 *     its lengths too   the same, lengths as Lucene's byte holds them
 */

const VARIABLE = 'TOUCHSTONE_OPENSEARCH'
const [K1, B] = [0.9, 0.4]
/** Documents of a query whose scores are compared: the engine's first ones. */
const DEPTH = 100

/** Bits of a number without leading zeros. */
const bits = (value: number) => 32 - Math.clz32(value)
/** Lengths below this have a byte value of their own. */
const FREE = 24

/** Length that a Lucene index holds for a text of this many tokens: SmallFloat.byte4ToInt(intToByte4(length)). */
export function heldLength(length: number): number {
  if (length < FREE) return length
  const rest = length - FREE
  const shift = Math.max(0, bits(rest) - 4)
  return FREE + ((rest >>> shift) << shift)
}

export interface Difference {
  /** Differences of scores, as a share of the query's highest score. */
  readonly mean: number
  readonly largest: number
  /** Share of the queries with the same first 10 in the same order. */
  readonly sameTen: number
  /** Kendall's tau over the engine's first 100, mean of the queries. */
  readonly tau: number
}

export interface Comparison {
  readonly here: Difference
  readonly tokens: Difference
  readonly lengths: Difference
}

/** Compares both for each query. `here`: analysis of the search in this project; `analyzer`: that of OpenSearch. */
export async function compareBm25(
  store: Store,
  recipe: Recipe,
  queries: readonly string[],
  {
    here,
    analyzer,
  }: { here: { stemmer: 'language' | 'none'; stopwords: 'language' | 'none' }; analyzer: string },
): Promise<Comparison> {
  const texts = indexedTexts(recipe)
  const engine = openSearchTexts(texts, { analyzer, k1: K1, b: B, shards: 1, replicas: 0 })
  const own = bm25Index(recipe, { k1: K1, b: B, idf: 'lucene', ...here })
  for (const artifact of [engine, own]) await store.prepare(artifact)
  const [search, index, all] = [await store.open(engine), await store.open(own), await store.open(texts)]
  const name = `touchstone_${engine.key.slice(0, 32)}`
  const held = await termsOf(name, all.length)
  const differences = { here: [], tokens: [], lengths: [] } as Record<keyof Comparison, PerQuery[]>
  for (const query of queries) {
    const found = await search.search(query, DEPTH, null)
    if (found.rows.length === 0) continue
    const terms = await analyze(name, query)
    const exact = held.score(terms, (length) => length)
    const rounded = held.score(terms, heldLength)
    differences.here.push(
      differenceOf(
        found,
        index.search(query, 10).rows,
        index.scores(query, Uint32Array.from(found.rows).sort()),
      ),
    )
    differences.tokens.push(differenceOf(found, firstOf(exact), inOrder(exact, found.rows)))
    differences.lengths.push(differenceOf(found, firstOf(rounded), inOrder(rounded, found.rows)))
  }
  await removeIndex(server, name)
  const { here: a, tokens: b, lengths: c } = differences
  return { here: summed(a), tokens: summed(b), lengths: summed(c) }
}

interface PerQuery extends Difference {}

/** `scores`: ours of the found rows in ascending order of rows. */
function differenceOf(
  found: { readonly rows: ArrayLike<number>; readonly scores: ArrayLike<number> },
  ten: ArrayLike<number>,
  scores: ArrayLike<number>,
): PerQuery {
  const place = new Map(Array.from(Uint32Array.from(found.rows).sort(), (row, at) => [row, at]))
  const ours = Array.from(found.rows, (row) => scores[place.get(row) as number] || 0)
  const gaps = ours.map((score, at) => Math.abs(score - found.scores[at]) / found.scores[0])
  const sameTen = [...Array.from(found.rows).slice(0, 10)].every((row, at) => row === ten[at])
  return {
    mean: gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length,
    largest: Math.max(...gaps),
    sameTen: sameTen ? 1 : 0,
    tau: ours.length < 2 ? 1 : kendallTau(ours, Array.from(found.scores)),
  }
}

function summed(all: readonly PerQuery[]): Difference {
  const mean = (key: keyof PerQuery) => all.reduce((sum, one) => sum + one[key], 0) / all.length
  return {
    mean: mean('mean'),
    sameTen: mean('sameTen'),
    tau: mean('tau'),
    largest: Math.max(...all.map(({ largest }) => largest)),
  }
}

/** Rows with the ten highest scores; ties as everywhere: the higher row first. */
const firstOf = (scores: Float64Array) =>
  [...scores.keys()]
    .filter((row) => scores[row] > 0)
    .sort((a, b) => scores[b] - scores[a] || b - a)
    .slice(0, 10)

const inOrder = (scores: Float64Array, rows: ArrayLike<number>) =>
  Array.from(Uint32Array.from(rows).sort(), (row) => scores[row])

async function ask(path: string, body: object): Promise<never> {
  const answer = await fetch(new URL(path, process.env[VARIABLE]), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as never
}

async function analyze(index: string, text: string): Promise<string[]> {
  const { tokens } = (await ask(`/${index}/_analyze`, { field: 'text', text })) as {
    tokens: { token: string }[]
  }
  return tokens.map(({ token }) => token)
}

interface Vectors {
  readonly docs: readonly {
    readonly _id: string
    readonly term_vectors: {
      readonly text?: { readonly terms: Readonly<Record<string, { term_freq: number }>> }
    }
  }[]
}

/** Terms of all documents as the index made them, and BM25 over them. */
async function termsOf(index: string, rows: number) {
  const postings = new Map<string, Map<number, number>>()
  const lengths = new Float64Array(rows)
  const options = { fields: ['text'], offsets: false, positions: false, field_statistics: false }
  for (let begin = 0; begin < rows; begin += 500) {
    const ids = Array.from({ length: Math.min(500, rows - begin) }, (_, i) => String(begin + i))
    const { docs } = (await ask(`/${index}/_mtermvectors`, { ids, parameters: options })) as Vectors
    for (const { _id, term_vectors } of docs)
      for (const [term, { term_freq }] of Object.entries(term_vectors.text?.terms ?? {})) {
        lengths[Number(_id)] += term_freq
        const own = postings.get(term) ?? new Map<number, number>()
        postings.set(term, own.set(Number(_id), term_freq))
      }
  }
  const holders = lengths.filter((length) => length > 0).length
  const mean = lengths.reduce((sum, length) => sum + length, 0) / holders
  return {
    score(terms: readonly string[], lengthOf: (length: number) => number): Float64Array {
      const scores = new Float64Array(rows)
      for (const term of terms) {
        const own = postings.get(term)
        if (!own) continue
        const idf = Math.log(1 + (holders - own.size + 0.5) / (own.size + 0.5))
        for (const [row, tf] of own)
          scores[row] += (idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * lengthOf(lengths[row])) / mean))
      }
      return scores
    },
  }
}
