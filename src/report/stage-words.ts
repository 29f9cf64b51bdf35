/** What it means to lose a gold label in a stage: one sentence each, for readers who do not know the steps. */
const STAGES: Readonly<Record<string, string>> = {
  failed: 'the query failed in this trial, and all its labels with it',
  'not in corpus': 'no document of the corpus has this id',
  'not in index': 'its document is there, but no chunk of it was made',
  'not in a pool': 'no search of the trial found it, however deep it was read',
  'below depth': 'it was ranked, but under the last rank that is kept',
}

const STEPS: Readonly<Record<string, string>> = {
  fuse: 'one side had found it, but the fused list was full before its turn came',
  prior: 'the walk reached it, but it is not among the best of dense and lexical scores together',
  append:
    'the first list (of a walk) filled all places; this was in the second list only, whose chunks follow while there is room',
  'cut-dense':
    'dense search had found it, but under the cosine or beyond the few chunks that the strategy takes from that list',
  'rank-light': 'it was in a list of chunks, but the context was full of what came before, evidence included',
  diversify:
    'it was ranked, but taken to say too nearly what a chunk above it says, and moved out of the list',
  'domain-codes': 'it was ranked until chunks with the codes of the query were put in front',
  'graph-boost': 'it was ranked until neighbours of other chunks were put in front',
  'merge-adjacent': 'it was ranked until chunks that stand side by side were put together',
  'min-score': 'it was ranked with a score under the least that counts',
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
