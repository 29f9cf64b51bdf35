import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { sparseEncoders } from '../../models/sparse/index.ts'
import type { SparseEncoder, SparseVector } from '../../models/sparse-encoder.ts'
import { resolve } from '../../registry.ts'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact, derived } from '../../store/artifact.ts'
import { indexedTexts, units } from '../chunks/units.ts'
import { readTerms, writeTerms } from '../lexical/term-counts.ts'
import type { Recipe } from '../recipe.ts'

/**
 * Learned sparse vectors of the indexed texts, as postings like those of `TermCounts`, with weights in place of counts:
 *
 *     score(q, d) = sum over terms t of q of  weight(t, q) * weight(t, d)
 */
interface SparseIndex {
  readonly texts: number
  /** Scores of all texts, summed in the order of the query's terms; 0 for a text without a common term. */
  scores(query: SparseVector): Float64Array
}

interface SparsePostings {
  readonly terms: readonly string[]
  /** Length `terms.length + 1`. */
  readonly offsets: Uint32Array
  readonly rows: Uint32Array
  readonly weights: Float32Array
  readonly texts: number
}

/** Builds postings. Terms are numbered by first occurrence. */
export function sparsePostings(vectors: readonly SparseVector[]): SparsePostings {
  const lists = new Map<string, { rows: number[]; weights: number[] }>()
  vectors.forEach(({ terms, weights }, row) => {
    terms.forEach((term, i) => {
      const list = lists.get(term) ?? { rows: [], weights: [] }
      lists.set(term, list)
      list.rows.push(row)
      list.weights.push(weights[i])
    })
  })
  const all = [...lists.values()]
  const offsets = new Uint32Array(all.length + 1)
  all.forEach(({ rows }, term) => {
    offsets[term + 1] = offsets[term] + rows.length
  })
  const rows = new Uint32Array(offsets[all.length])
  const weights = new Float32Array(rows.length)
  all.forEach((list, term) => {
    rows.set(list.rows, offsets[term])
    weights.set(list.weights, offsets[term])
  })
  return { terms: [...lists.keys()], offsets, rows, weights, texts: vectors.length }
}

export function openSparse({ terms, offsets, rows, weights, texts }: SparsePostings): SparseIndex {
  const numbers = new Map(terms.map((term, number) => [term, number]))
  return {
    texts,
    scores(query) {
      const scores = new Float64Array(texts)
      query.terms.forEach((term, i) => {
        const number = numbers.get(term)
        if (number === undefined) return
        const weight = query.weights[i]
        for (let at = offsets[number]; at < offsets[number + 1]; at++)
          scores[rows[at]] += weight * weights[at]
      })
      return scores
    },
  }
}

/** Search over chunks by sparse vectors; a chunk scores as its best unit. */
interface ChunkSparse {
  encode(query: string): Promise<SparseVector>
  scores(query: SparseVector): Float64Array
}

const FILE = 'postings.safetensors'

/** Opens the search. Throws a UserError if the recipe names no encoder. */
export function chunkSparse(recipe: Recipe): Artifact<ChunkSparse> {
  if (!recipe.sparse)
    throw new UserError(
      '`prepare` has no line `sparse`; add one, as `sparse: {splade: {model: ./models/splade}}`',
    )
  const { definition, params } = resolve(sparseEncoders, recipe.sparse)
  const encoder: Artifact<SparseEncoder> = definition.artifact(params)
  const index = defineArtifact({
    name: 'sparse',
    version: 1,
    params: null,
    inputs: { texts: indexedTexts(recipe), encoder },
    async build(folder, inputs, { progress }) {
      const { encode } = await inputs.encoder()
      const vectors = await encode(await inputs.texts(), (done, total) =>
        progress('sparse vectors', done, total),
      )
      const { terms, texts, ...arrays } = sparsePostings(vectors)
      writeArrays(join(folder, FILE), arrays, { texts: String(texts) })
      writeTerms(folder, terms)
    },
    open(folder) {
      const { arrays, metadata } = readArrays(join(folder, FILE))
      return openSparse({
        terms: readTerms(folder),
        offsets: arrays.offsets as Uint32Array,
        rows: arrays.rows as Uint32Array,
        weights: arrays.weights as Float32Array,
        texts: Number(metadata.texts),
      })
    },
  })
  const parts = units(recipe)
  const inputs = { index, encoder, ...(parts && { units: parts }) }
  return derived('chunk_sparse', inputs, ({ index, encoder, units }) => ({
    encode: async (query) => (await encoder.encode([query]))[0],
    scores: (query) => (units ? bestOf(units.parents, index.scores(query)) : index.scores(query)),
  }))
}

/** Best score of each chunk. `parents` ascend; each chunk has at least one unit. */
function bestOf(parents: Uint32Array, scores: Float64Array): Float64Array {
  const best = new Float64Array((parents.at(-1) ?? -1) + 1)
  parents.forEach((row, unit) => {
    best[row] = Math.max(best[row], scores[unit])
  })
  return best
}
