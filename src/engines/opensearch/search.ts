import { UserError } from '../../errors.ts'
import type { Json } from '../../types.ts'
import type { EngineFusion } from '../define.ts'
import { ask, type Client, Refused } from './client.ts'

/** Searches of OpenSearch: by words, by a graph of vectors, and by every vector. */

export type Clause = Readonly<Record<string, unknown>>

export const wordsQuery = (text: string, filter: readonly Clause[]) => ({
  query: { bool: { must: [{ match: { text: { query: text } } }], filter } },
})

/** Search of a graph of vectors. Its score is `(1 + cosine) / 2`. */
export const graphQuery = (vector: Float32Array, depth: number, how: Json, filter: readonly Clause[]) => ({
  query: {
    knn: {
      vector: {
        ...{ vector: [...vector], k: depth },
        method_parameters: { ef_search: Math.max((how as { efSearch: number }).efSearch, depth) },
        ...(filter.length > 0 && { filter: { bool: { filter } } }),
      },
    },
  },
})

/** Search that compares every vector. Its score is `(1 + cosine) / 2`. */
export const exactQuery = (vector: Float32Array, filter: readonly Clause[]) => ({
  query: {
    script_score: {
      query: { bool: { filter: [...filter, { exists: { field: 'vector' } }] } },
      script: {
        ...{ source: 'knn_score', lang: 'knn' },
        params: { field: 'vector', query_value: [...vector], space_type: 'cosinesimil' },
      },
    },
  },
})

/**
 * Search by both, fused by the plugin neural-search. A shard gives `depth` documents of each side. `sides`: words, then vectors,
 * which a query of zeros does not have.
 */
export const hybridQuery = (sides: readonly Clause[], depth: number, fusion: EngineFusion) => ({
  query: { hybrid: { queries: sides, pagination_depth: depth } },
  search_pipeline: {
    phase_results_processors: [
      fusion.fusion === 'rrf'
        ? { 'score-ranker-processor': { combination: { technique: 'rrf', rank_constant: fusion.rrfK } } }
        : {
            'normalization-processor': {
              normalization: { technique: 'min_max' },
              combination: {
                technique: 'arithmetic_mean',
                parameters: { weights: sides.length === 1 ? [1] : [1 - fusion.alpha, fusion.alpha] },
              },
            },
          },
    ],
  },
})

/** Cosine of a score, which OpenSearch never lets be negative. */
export const cosine = (score: number) => 2 * score - 1

export interface Hit {
  readonly _score: number
  readonly sort?: readonly (number | string)[]
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
}

/** Runs a search over all shards. A part that is missing is an error, never a shorter ranking. */
export async function searched(
  client: Client,
  urlEnv: string,
  index: string,
  request: Readonly<Record<string, unknown>>,
  depth: number,
): Promise<{ readonly hits: readonly Hit[]; readonly took: number }> {
  try {
    const { body } = await ask(urlEnv, () =>
      client.search({
        ...{ index, search_type: 'dfs_query_then_fetch', allow_partial_search_results: false },
        body: { ...request, size: depth, _source: false, track_total_hits: false } as never,
      }),
    )
    if (body.timed_out || body._shards.failed > 0)
      throw new UserError(
        `the server in ${urlEnv} searched only a part of ${index}: ${body._shards.failed} of ${body._shards.total} shards failed`,
      )
    return { hits: body.hits.hits as unknown as readonly Hit[], took: body.took }
  } catch (error) {
    // A query that the engine cannot take, as one of too many words, is that query's failure.
    if (error instanceof Refused && error.status === 400) throw new Error(error.message)
    throw error
  }
}
