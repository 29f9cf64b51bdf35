import { z } from 'zod'
import { indexedTexts } from '../../corpus/chunks/units.ts'
import { embedTexts } from '../../corpus/dense/embeddings.ts'
import { UserError } from '../../errors.ts'
import { checkRecall, defineEngine, urlEnv } from '../define.ts'
import { versionOf } from './client.ts'
import { openSearchBoth, openSearchTexts, openSearchVectors, removeIndex } from './index.ts'

const shape = {
  urlEnv: urlEnv('TOUCHSTONE_OPENSEARCH'),
  analyzer: z
    .string()
    .regex(/^[a-z_]{1,40}$/, 'must be the name of an analyzer, as standard, english or german')
    .default('standard')
    .describe('analyzer of texts: standard, or that of a language, as english'),
  shards: z.int().min(1).max(1024).default(1).describe('primary shards of each index'),
  replicas: z.int().min(0).max(10).default(0).describe('copies of each shard'),
  index: z
    .enum(['exact', 'hnsw'])
    .default('hnsw')
    .describe('dense search by a graph; `exact` compares every row'),
  m: z.int().min(2).max(100).default(16).describe('edges of a node; hnsw'),
  efConstruction: z.int().min(4).max(1000).default(100).describe('candidates at build time; hnsw'),
  efSearch: z.int().min(1).max(10_000).default(100).describe('candidates of a search; hnsw'),
  checkRecall,
}

/** OpenSearch: BM25 by Lucene with an analyzer of your choice, and dense search by its k-NN plugin. */
export const opensearch = defineEngine({
  name: 'opensearch',
  summary: "OpenSearch: Lucene's BM25 with one of its analyzers; dense search exact or by Lucene's HNSW",
  source: 'OpenSearch 2.19; Malkov and Yashunin, TPAMI 2020 (HNSW)',
  params: z.strictObject(shape),
  dense(recipe, params) {
    const { urlEnv, shards, replicas, index, m, efConstruction, efSearch } = params
    const graph = index === 'hnsw' ? { m, efConstruction } : null
    const how = graph && { efSearch }
    const embeddings = embedTexts(recipe, 'chunks', indexedTexts(recipe))
    return { index: openSearchVectors(embeddings, urlEnv, { shards, replicas, graph }), how }
  },
  lexical(recipe, params, bm25) {
    const { urlEnv, shards, replicas, analyzer } = params
    const shape = { shards, replicas, analyzer, ...bm25 }
    return { index: openSearchTexts(indexedTexts(recipe), urlEnv, shape), how: null }
  },
  hybrid(recipe, params, bm25, fusion) {
    const { urlEnv, shards, replicas, analyzer, index, m, efConstruction, efSearch } = params
    if (fusion.fusion === 'rrf' && fusion.rrfK < 1) throw new UserError("OpenSearch's `rrfK` is 1 or more")
    const graph = index === 'hnsw' ? { m, efConstruction } : null
    const texts = indexedTexts(recipe)
    const inputs = { texts, embeddings: embedTexts(recipe, 'chunks', texts) }
    return {
      index: openSearchBoth(inputs, urlEnv, { shards, replicas, analyzer, graph, ...bm25 }),
      how: { fusion, graph: { efSearch } },
    }
  },
  version: ({ urlEnv }) => versionOf(urlEnv),
  remove: ({ urlEnv }, index) => removeIndex(urlEnv, index),
})
