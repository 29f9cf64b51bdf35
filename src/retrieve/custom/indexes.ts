import { z } from 'zod'
import { chunkColumns } from '../../corpus/corpus.ts'
import { denseIndex } from '../../corpus/dense/dense.ts'
import { chunkNeighbors, type NEIGHBORS } from '../../corpus/graph/chunk-neighbors.ts'
import { type Bm25Params, bm25Index } from '../../corpus/lexical/bm25.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { type Artifact, derived } from '../../store/artifact.ts'
import { fieldComplaint } from '../../text/schema-words.ts'
import type { Chunk, Ranking } from '../../types.ts'
import { frozen } from '../step.ts'
import { bm25Shape } from '../steps/params.ts'

/**
 * Views of a corpus for custom steps, named under `artifacts` of a step and opened when it runs. A chunk's row is its index
 * everywhere. Results are read-only: texts are frozen, everything else is a copy.
 */

export interface DenseView {
  readonly rows: number
  readonly dims: number
  /** The `depth` chunks nearest to a vector of length 1. */
  search(vector: ArrayLike<number>, depth: number): Ranking
  /** Cosines of chosen rows, in their order. */
  cosines(rows: ArrayLike<number>, vector: ArrayLike<number>): Float32Array
  /** A chunk's vector, of length 1. */
  vector(row: number): Float32Array
}

export interface Bm25View {
  /** The `depth` chunks with the highest BM25. */
  search(text: string, depth: number): Ranking
}

/** The chunks next to a chunk in a graph, each once, ascending, without itself. */
type NeighborsView = (row: number) => number[]

type ChunkView = Omit<Chunk, 'start' | 'end'>

export const indexes = {
  /** Id, document, title, section, text, tokens and metadata of every chunk, by row. */
  chunks(recipe: Recipe): Artifact<readonly ChunkView[]> {
    const read = chunkColumns(
      recipe,
      ...(['id', 'documentId', 'position', 'section', 'title', 'text', 'tokens', 'metadata'] as const),
    )
    // Read for this alone, so it can be frozen as it is.
    return derived('chunks_view', { read }, ({ read }) => frozen(read as never) as readonly ChunkView[])
  },

  /** The vectors of `prepare.embedder`. */
  dense(recipe: Recipe): Artifact<DenseView> {
    return derived('dense_view', { dense: denseIndex(recipe) }, ({ dense }) =>
      Object.freeze<DenseView>({
        rows: dense.rows,
        dims: dense.dims,
        search(vector, depth) {
          const [ranking] = dense.search([Float32Array.from(vector)], depth)
          return copyOf(ranking)
        },
        cosines: (rows, vector) =>
          dense.cosines(inRange(rows, dense.rows), Float32Array.from(vector)).slice(),
        vector(row) {
          const [checkedRow] = inRange([row], dense.rows)
          return dense.vector(checkedRow)
        },
      }),
    )
  },

  /** BM25; params that are left out are those of the strategy `bm25`. */
  bm25(recipe: Recipe, chosen: Partial<Bm25Params> = {}): Artifact<Bm25View> {
    const checked = z.strictObject(bm25Shape).safeParse(chosen)
    if (!checked.success) {
      const problems = checked.error.issues.map((issue) =>
        fieldComplaint(issue, chosen, Object.keys(bm25Shape)),
      )
      throw new Error(`the params of \`indexes.bm25\`: ${problems.join('; ')}`)
    }
    const params = checked.data
    return derived('bm25_view', { bm25: bm25Index(recipe, params) }, ({ bm25 }) =>
      Object.freeze<Bm25View>({ search: (text, depth) => copyOf(bm25.search(text, depth)) }),
    )
  },

  /** Chunks that share an entity (`entities`), have related ones (`relationships`), mention titles (`titles`) or are `similar`. */
  neighbors(recipe: Recipe, over: (typeof NEIGHBORS)[number]): Artifact<NeighborsView> {
    return derived('neighbors_view', { walk: chunkNeighbors(recipe, over) }, ({ walk }) => (row) => {
      const rows = new Set<number>()
      walk()(row, (neighbor) => rows.add(neighbor))
      rows.delete(row)
      return [...rows].sort((a, b) => a - b)
    })
  },
}

function copyOf({ rows, scores }: Ranking): Ranking {
  return { rows: rows.slice(), scores: scores.slice() }
}

function inRange(rows: ArrayLike<number>, count: number): Uint32Array {
  const wrong = Array.from(rows).find((row) => !(Number.isSafeInteger(row) && row >= 0 && row < count))
  if (wrong !== undefined) throw new Error(`row ${wrong} is not a chunk; there are ${count}, counted from 0`)
  return Uint32Array.from(rows)
}
