/** Name and explanation of stages and steps that can lose gold. */
const STAGES: Readonly<Record<string, readonly [name: string, words: string]>> = {
  failed: ['query failed', 'the query failed in this trial, which loses all its labels'],
  'not in corpus': ['not in the corpus', 'no document of the corpus has this id'],
  'not in index': ['in no chunk', 'it is in the corpus but in no chunk'],
  'left out by the filter': [
    'left out by the filter',
    "the trial's filter keeps no chunk of it for this query",
  ],
  'not in a pool': [
    'not retrieved by any search',
    'no search of the trial returned it among the chunks that the trial reads',
  ],
  'below depth': ['ranked below the cutoff', 'its rank is below the last stored rank'],
  fuse: ['crowded out in fusion', 'one of the lists contained it, but other chunks filled the fused list'],
  'count-paths': [
    'found by one search only',
    'only one of lexical and dense search found it, and the trial keeps what both found',
  ],
  prior: [
    'combined score too low',
    'the graph walk reached it, but its combined dense and lexical score was too low',
  ],
  append: [
    'dropped when lists were merged',
    'the first list filled all ranks; the passage was only in the second list',
  ],
  'cut-dense': [
    'below the cutoff of dense search',
    'dense search found it, but below the minimum cosine or beyond the number of chunks that the strategy uses',
  ],
  'rank-light': [
    'crowded out of the context',
    'a list contained it, but earlier chunks and evidence filled the context',
  ],
  diversify: ['too similar to another result', 'it was ranked, but it was too similar to a chunk above it'],
  'chapter-routing': [
    'outside the routed chapters',
    'it was ranked, but it is in none of the chapters that the query was routed to',
  ],
  'domain-codes': [
    'moved down by domain codes',
    'it was ranked, but chunks with the codes of the query moved above it',
  ],
  'search-chroma': ['not returned by Chroma', 'vector search in Chroma did not return it'],
  'search-pgvector': ['not returned by PostgreSQL', 'vector search in PostgreSQL did not return it'],
  'search-opensearch': ['not returned by OpenSearch', 'vector search in OpenSearch did not return it'],
  'search-opensearch-text': ['not returned by BM25 in OpenSearch', 'BM25 in OpenSearch did not return it'],
  'compare-with-exact': ['not returned by the engine', 'the engine did not return it'],
  'graph-embedding': [
    'moved down by the graph embedding',
    'it was ranked, but chunks closer to the best ones in the graph moved above it',
  ],
  'graph-boost': ['moved down by neighbours', 'it was ranked, but neighbours of other chunks moved above it'],
  'keep-linked': ['not linked to the query', 'it was ranked, but the graph does not link it to the query'],
  'first-hop': ['ranked below the first hop', 'the first search ranked it below the chunks that a hop uses'],
  'add-hop': [
    'crowded out of a hop',
    'a heading or a later search contained it, but other chunks filled the hop',
  ],
  'after-hops': ['crowded out after the hops', 'the hops and the first search filled all ranks above it'],
  'merge-adjacent': [
    'moved down by merged chunks',
    'it was ranked, but merged adjacent chunks moved above it',
  ],
  'lift-chunks': [
    'crowded out by chunks of summaries',
    'dense search found it, but chunks of the selected summaries filled all ranks',
  ],
  rerank: [
    'dropped by the reranker',
    'it was ranked, but the reranker put it below the stored ranks or the minimum score',
  ],
  'min-cosine': ['below the minimum cosine', 'its cosine to the query is below the minimum'],
  'min-score': ['below the minimum score', 'its score is below the minimum'],
  'own-document': [
    "the query's own document",
    "it is the query's own document, which the dataset leaves out (`ownDocument: drop`)",
  ],
}

/** `lost by rerank` -> 'dropped by the reranker'. `depth` is the last stored rank. */
export function stageName(stage: string, depth: number): string {
  const step = stage.replace(/^lost by /, '')
  const [name = stage.replace(/^lost by /, 'dropped by ')] = STAGES[step] ?? []
  return stage === 'below depth' ? `${name} (${depth})` : name
}

export function stageWords(stage: string): string {
  const [, words = 'an earlier step returned it, and this step dropped it or ranked it out of its list'] =
    STAGES[stage.replace(/^lost by /, '')] ?? []
  return words
}
