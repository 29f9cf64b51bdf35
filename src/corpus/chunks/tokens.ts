import { join } from 'node:path'
import type { Embedder } from '../../models/embedder.ts'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact, derived } from '../../store/artifact.ts'
import { tokenEmbedder } from '../dense/embeddings.ts'
import { openTokens, quantizeTokens, type TokenIndex, type TokenVectors } from '../dense/token-index.ts'
import type { Recipe } from '../recipe.ts'
import { indexedTexts, units } from './units.ts'

/** Late interaction over chunks; results are by chunk row. */
interface ChunkTokens {
  /** Vectors of a query's tokens, row after row. */
  embed(query: string): Promise<Float32Array>
  /** MaxSim (token-index.ts) of every chunk or of `rows`; with small units the best unit's. */
  scores(query: Float32Array, rows?: ArrayLike<number>): Float64Array
}

type TokenEmbedder = Required<Pick<Embedder, 'dims' | 'tokens'>>

/** Opens late interaction. Throws a UserError if the embedder has no token vectors. */
export function chunkTokens(
  recipe: Recipe,
  choice: Recipe['embedder'] = recipe.embedder,
): Artifact<ChunkTokens> {
  const parts = units(recipe)
  const inputs = { index: tokenIndex(recipe, choice), embedder: tokenEmbedder(recipe, choice, 'query') }
  const make = ({ index, embedder }: { index: TokenIndex; embedder: TokenEmbedder }): ChunkTokens => ({
    async embed(query) {
      const [tokens] = await embedder.tokens([query])
      return tokens
    },
    scores: index.scores,
  })
  if (!parts) return derived('chunk_tokens', inputs, make)
  return derived('chunk_tokens', { ...inputs, units: parts }, ({ units: { parents }, ...opened }) => {
    const { embed, scores } = make(opened)
    return { embed, scores: (query, rows) => bestOfParents(scores, parents, query, rows) }
  })
}

/** Scores each chunk by its best unit. `parents` ascend; each chunk has at least one unit. */
export function bestOfParents(
  scores: TokenIndex['scores'],
  parents: Uint32Array,
  query: Float32Array,
  rows?: ArrayLike<number>,
): Float64Array {
  const chosen = rows && new Set(Array.from(rows))
  const scored = chosen && Uint32Array.from([...parents.keys()].filter((unit) => chosen.has(parents[unit])))
  const best = new Float64Array((parents.at(-1) ?? -1) + 1).fill(Number.NEGATIVE_INFINITY)
  scores(query, scored).forEach((score, i) => {
    const row = parents[scored ? scored[i] : i]
    best[row] = Math.max(best[row], score)
  })
  return rows ? Float64Array.from(rows, (row) => best[row]) : best
}

const FILE = 'tokens.safetensors'

/** Name of the artifact with a vector for every token, the largest of all. */
export const TOKEN_VECTORS = 'token_vectors'

function tokenIndex(recipe: Recipe, choice: Recipe['embedder']): Artifact<TokenIndex> {
  const vectors = defineArtifact({
    name: TOKEN_VECTORS,
    version: 1,
    params: null,
    inputs: { texts: indexedTexts(recipe), embedder: tokenEmbedder(recipe, choice, 'passage') },
    copied: true,
    async build(folder, inputs, { progress }) {
      const embedder = await inputs.embedder()
      const texts = await inputs.texts()
      const { dims, ...arrays } = await embedTokens(texts, embedder, (done, total) =>
        progress('embedding tokens', done, total),
      )
      writeArrays(join(folder, FILE), arrays, { dims: String(dims) })
    },
    open(folder): TokenVectors {
      const { arrays, metadata } = readArrays(join(folder, FILE))
      const { offsets, codes, scales } = arrays
      return {
        offsets: offsets as Uint32Array,
        codes: codes as Int8Array,
        scales: scales as Float32Array,
        dims: Number(metadata.dims),
      }
    },
  })
  return derived('token_index', { vectors }, ({ vectors }) => openTokens(vectors))
}

/** Texts whose float32 vectors are in memory at once. */
const BATCH = 256

export async function embedTokens(
  texts: readonly string[],
  { dims, tokens: embed }: TokenEmbedder,
  progress: (done: number, total: number) => void,
): Promise<TokenVectors> {
  const offsets = new Uint32Array(texts.length + 1)
  const parts: Pick<TokenVectors, 'codes' | 'scales'>[] = []
  for (let from = 0; from < texts.length; from += BATCH) {
    const found = await embed(texts.slice(from, from + BATCH), (done) => progress(from + done, texts.length))
    found.forEach((vectors, i) => {
      offsets[from + i + 1] = offsets[from + i] + vectors.length / dims
      parts.push(quantizeTokens(vectors, dims))
    })
  }
  const count = offsets[texts.length]
  const codes = new Int8Array(count * dims)
  const scales = new Float32Array(count)
  parts.forEach((part, text) => {
    codes.set(part.codes, offsets[text] * dims)
    scales.set(part.scales, offsets[text])
  })
  return { offsets, codes, scales, dims }
}
