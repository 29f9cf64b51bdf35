import { listParts, type Part, typeParts } from '../../registry.ts'
import type { Query } from '../../types.ts'
import type { Expression, Retrieved } from '../step.ts'

/** Expression over steps from a query to a ranking of chunks. docs/definitions.md has the formula of each strategy. */
export type Strategy = Part<Retrieval>

export interface Retrieval {
  /** Builds the expressions of a trial; computes nothing. */
  retrieve(query: Expression<Query>, inner: Inner): StrategyOutput
}

/** Output of another trial of the same config, by its name. Throws a UserError if there is none. */
export type Inner = (trial: string, query: Expression<Query>) => StrategyOutput

export interface StrategyOutput extends Retrieved {
  /** True if answers read the whole ranking, uncut. */
  readonly sendsAll?: boolean
}

export const defineStrategy = typeParts<Retrieval>()

export const strategies = listParts<Strategy>('strategy', {
  naive: () => import('./naive.ts'),
  bm25: () => import('./bm25.ts'),
  grep: () => import('./grep.ts'),
  hybrid: () => import('./hybrid.ts'),
  'graphrag-local': () => import('./graphrag-local.ts'),
  'graphrag-local-simple': () => import('./graphrag-local-simple.ts'),
  'graphrag-global': () => import('./graphrag-global.ts'),
  drift: () => import('./drift.ts'),
  'lazy-graphrag': () => import('./lazy-graphrag.ts'),
  lightrag: () => import('./lightrag.ts'),
  'lightrag-simple': () => import('./lightrag-simple.ts'),
  pathrag: () => import('./pathrag.ts'),
  hipporag: () => import('./hipporag.ts'),
  'hipporag-v1': () => import('./hipporag-v1.ts'),
  'hipporag-simple': () => import('./hipporag-simple.ts'),
  linearrag: () => import('./linearrag.ts'),
  'title-ppr': () => import('./title-ppr.ts'),
  traversal: () => import('./traversal.ts'),
  'multi-hop': () => import('./multi-hop.ts'),
  raptor: () => import('./raptor.ts'),
  rm3: () => import('./rm3.ts'),
  random: () => import('./random.ts'),
  'whole-corpus': () => import('./whole-corpus.ts'),
  fuse: () => import('./fuse.ts'),
  'rag-fusion': () => import('./rag-fusion.ts'),
  router: () => import('./router.ts'),
  run: () => import('./run.ts'),
})
