/** Explanations of the stages that can lose a gold label, without a full stop. */
const STAGES: Readonly<Record<string, string>> = {
  failed: 'the query failed in this trial, which loses all its labels',
  'not in corpus': 'no document of the corpus has this id',
  'not in index': 'it is in the corpus but in no chunk',
  'left out by the filter': "the trial's filter keeps no chunk of it for this query",
  'not in a pool': 'no search of the trial returned it among the chunks that the trial reads',
  'below depth': 'its rank is below the last stored rank',
}

const STEPS: Readonly<Record<string, string>> = {
  fuse: 'one of the lists contained it, but other chunks filled the fused list',
  'count-paths': 'only one of lexical and dense search found it, and the trial keeps what both found',
  prior: 'the graph walk reached it, but its combined dense and lexical score was too low',
  append: 'the first list filled all ranks; the passage was only in the second list',
  'cut-dense':
    'dense search found it, but below the minimum cosine or beyond the number of chunks that the strategy uses',
  'rank-light': 'a list contained it, but earlier chunks and evidence filled the context',
  diversify: 'it was ranked, but it was too similar to a chunk above it',
  'chapter-routing': 'it was ranked, but it is in none of the chapters that the query was routed to',
  'domain-codes': 'it was ranked, but chunks with the codes of the query moved above it',
  'search-pgvector': 'vector search in PostgreSQL did not return it',
  'search-opensearch': 'vector search in OpenSearch did not return it',
  'search-opensearch-text': 'BM25 in OpenSearch did not return it',
  'compare-with-exact': 'the engine did not return it',
  'graph-embedding': 'it was ranked, but chunks closer to the best ones in the graph moved above it',
  'graph-boost': 'it was ranked, but neighbours of other chunks moved above it',
  'keep-linked': 'it was ranked, but the graph does not link it to the query',
  'first-hop': 'the first search ranked it below the chunks that a hop uses',
  'add-hop': 'a heading or a later search contained it, but other chunks filled the hop',
  'after-hops': 'the hops and the first search filled all ranks above it',
  'merge-adjacent': 'it was ranked, but merged adjacent chunks moved above it',
  'lift-chunks': 'dense search found it, but chunks of the selected summaries filled all ranks',
  rerank: 'it was ranked, but the reranker put it below the stored ranks or the minimum score',
  'min-cosine': 'its cosine to the query is below the minimum',
  'min-score': 'its score is below the minimum',
  'own-document': "it is the query's own document, which the dataset leaves out (`ownDocument: drop`)",
}

/** Display name of a stage: `not in a pool` -> 'not retrieved by any search'. `depth` is the last stored rank. */
export function stageName(stage: string, depth: number): string {
  if (stage === 'not in a pool') return 'not retrieved by any search'
  if (stage === 'below depth') return `ranked below the cutoff (${depth})`
  if (stage === 'lost by append') return 'dropped when lists were merged'
  return stage.replace(/^lost by /, 'dropped by ')
}

/** Explanation of a stage, without its full stop; a general one for the step of a custom file. */
export function stageWords(stage: string): string {
  const step = stage.replace(/^lost by /, '')
  return (
    STAGES[stage] ??
    STEPS[step] ??
    'an earlier step returned it, and this step dropped it or ranked it out of its list'
  )
}
