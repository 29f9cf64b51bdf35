/** What it means to lose a gold label in a stage: one sentence each, for readers who do not know the steps. */
const STAGES: Readonly<Record<string, string>> = {
  'not run': 'a race stopped the trial before it was run on this query',
  failed: 'the query failed in this trial, so all its labels are lost',
  'not in corpus': 'nothing in the corpus has this id',
  'not in index': 'it is in the corpus, but in no chunk',
  'left out by the filter': "the trial's filter keeps no chunk of it for this query",
  'not in a pool': 'no search of the trial returned it among the chunks that the trial reads',
  'below depth': 'it was ranked below the last rank that is kept',
}

const STEPS: Readonly<Record<string, string>> = {
  fuse: 'one of the lists held it, but the fused list was full above it',
  'count-paths': 'terms or dense search found it, but not both, and the trial keeps what both found',
  prior: 'the walk reached it, but it is not among the best of dense and lexical scores together',
  append:
    'the first list (of a walk) filled all ranks; this was only in the second list, which fills the ranks that are left',
  'cut-dense':
    'dense search found it, but below the least cosine or beyond the few chunks that the strategy takes from that list',
  'rank-light': 'it was in a list of chunks, but earlier chunks and evidence had filled the context',
  diversify: 'it was ranked, but was too similar to a chunk above it and moved out of the list',
  'chapter-routing': 'it was ranked, but stands in none of the chapters that the query was routed to',
  'domain-codes': 'it was ranked, but chunks with the codes of the query moved above it',
  'search-lancedb': 'the vectors of LanceDB did not bring it',
  'search-lancedb-text': "LanceDB's full-text index did not bring it",
  'search-pgvector': 'the vectors of PostgreSQL did not bring it',
  'compare-with-exact': 'the engine did not bring it',
  'graph-embedding':
    'it was ranked, but chunks that stand nearer in the graph to the best ones moved above it',
  'graph-boost': 'it was ranked, but neighbours of other chunks moved above it',
  'keep-linked': 'it was ranked, and the graph does not link it to the query',
  'first-hop': 'the first search ranked it below the few chunks that a hop takes',
  'add-hop': 'a heading or a later search held it, but the hop was full above it',
  'after-hops': 'the hops and the first search filled all ranks above it',
  'merge-adjacent': 'it was ranked, but merged adjacent chunks moved above it',
  'lift-chunks':
    'dense search found it, but chunks under the summaries that are read moved above it and filled all ranks',
  window: 'it was ranked, but neighbours of better chunks moved above it',
  rerank: 'it was ranked, but the reranker put it below the chunks or the score that are kept',
  'min-score': 'it was ranked with a score below the minimum',
  'own-document': "it is the query's own document, which the dataset leaves out (`ownDocument: drop`)",
}

/** A sentence without its full stop; a general one for a step that is not of the house. */
export function stageWords(stage: string): string {
  const step = stage.replace(/^lost by /, '')
  return (
    STAGES[stage] ??
    STEPS[step] ??
    'an earlier step held it, and this one dropped it or ranked it out of its list'
  )
}
