import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBm25Search } from '../../prepare/bm25-search.ts'
import { createPostings } from '../../prepare/postings.ts'
import { openVectors } from '../../prepare/vectors.ts'
import { readArrays } from '../../store/arrays.ts'
import { writeRenamed } from '../../store/write.ts'
import { writeTable } from '../../tables/parquet.ts'
import type { Ranking } from '../../types.ts'
import {
  foundFile,
  partFolder,
  type Scattered,
  type ScatteredList,
  type ScatteredTerms,
  termsFile,
} from './layout.ts'

/** Queries that are searched together. */
const BLOCK = 256

/**
 * Searches one part for all queries, as if it stood in the whole corpus: BM25 by the statistics of all chunks, vectors as they
 * are. What is found already is not searched again. Returns how many lists were made.
 */
export function searchPart(folder: string, scattered: Scattered, part: number): number {
  const missing = scattered.lists
    .map((_, list) => list)
    .filter((list) => !existsSync(foundFile(folder, part, list)))
  const { begin, ids } = JSON.parse(readFileSync(join(partFolder(folder, part), 'chunks.json'), 'utf8')) as {
    begin: number
    ids: string[]
  }
  mkdirSync(join(folder, 'found'), { recursive: true })
  for (const list of missing) {
    const found = searched(folder, scattered, part, scattered.lists[list])
    const of = (value: (ranking: Ranking) => ArrayLike<number>) =>
      found.flatMap((ranking) => Array.from(value(ranking)))
    const rows = of(({ rows }) => rows)
    writeRenamed(foundFile(folder, part, list), (fresh) => {
      writeTable(fresh, [
        {
          name: 'query',
          type: 'int32',
          values: Int32Array.from(found.flatMap(({ rows }, query) => Array.from(rows, () => query))),
        },
        { name: 'row', type: 'int32', values: Int32Array.from(rows, (row) => begin + row) },
        { name: 'chunk', type: 'string', values: rows.map((row) => ids[row]) },
        { name: 'score', type: 'number', values: Float64Array.from(of(({ scores }) => scores)) },
      ])
      return undefined
    })
  }
  return missing.length
}

function searched(
  folder: string,
  { dims, queries, chunks }: Scattered,
  part: number,
  list: ScatteredList,
): Ranking[] {
  if (list.kind === 'dense') {
    const own = readArrays(join(partFolder(folder, part), 'vectors.safetensors')).arrays
      .vectors as Float32Array
    const asked = readArrays(join(folder, 'queries.safetensors')).arrays.vectors as Float32Array
    const index = openVectors(rowsOf(own, dims), dims)
    const vectors = queries.map((_, query) => asked.subarray(query * dims, (query + 1) * dims))
    const found: Ranking[] = []
    for (let at = 0; at < vectors.length; at += BLOCK)
      found.push(...index.search(vectors.slice(at, at + BLOCK), list.depth))
    return found
  }
  const terms = JSON.parse(readFileSync(termsFile(folder, list.analysis), 'utf8')) as ScatteredTerms
  const { arrays } = readArrays(join(partFolder(folder, part), `terms-${list.analysis}.safetensors`))
  const { offsets, rows, counts, lengths } = arrays as Record<string, Uint32Array>
  const corpus = { texts: chunks, meanLength: terms.meanLength, holders: Uint32Array.from(terms.holders) }
  const { search } = createBm25Search(
    createPostings({ terms: [], offsets, rows, counts, lengths, corpus }),
    list.weighting,
  )
  return terms.queries.map((own) => search({ terms: own, weights: own.map(() => 1) }, list.depth))
}

function rowsOf(matrix: Float32Array, dims: number): Uint8Array[] {
  const rows = dims === 0 ? 0 : matrix.length / dims
  return Array.from(
    { length: rows },
    (_, row) => new Uint8Array(matrix.buffer, matrix.byteOffset + 4 * dims * row, 4 * dims),
  )
}
