import { createLazyRegistry } from '../../registry.ts'
import type { Strategy } from './define.ts'

type Entries = Readonly<Record<string, () => Promise<Strategy>>>

/** Strategies that a router may choose with their defaults. */
const ARMS: Entries = {
  naive: async () => (await import('./naive.ts')).naive,
  bm25: async () => (await import('./bm25.ts')).bm25,
  hybrid: async () => (await import('./hybrid.ts')).hybrid,
  'graphrag-local': async () => (await import('./graphrag-local/strategy.ts')).graphragLocal,
  'graphrag-global': async () => (await import('./graphrag-global/strategy.ts')).graphragGlobal,
  drift: async () => (await import('./drift/strategy.ts')).drift,
  'lazy-graphrag': async () => (await import('./lazy-graphrag/strategy.ts')).lazyGraphrag,
  lightrag: async () => (await import('./lightrag/strategy.ts')).lightrag,
  pathrag: async () => (await import('./pathrag/strategy.ts')).pathrag,
  hipporag: async () => (await import('./hipporag/strategy.ts')).hipporag,
  linearrag: async () => (await import('./linearrag/strategy.ts')).linearrag,
  'title-ppr': async () => (await import('./title-ppr/strategy.ts')).titlePpr,
  traversal: async () => (await import('./traversal/strategy.ts')).traversal,
  'multi-hop': async () => (await import('./multi-hop/strategy.ts')).multiHop,
  raptor: async () => (await import('./raptor/strategy.ts')).raptor,
  rm3: async () => (await import('./rm3/strategy.ts')).rm3Strategy,
  random: async () => (await import('./random.ts')).random,
  'whole-corpus': async () => (await import('./whole-corpus.ts')).wholeCorpus,
}

const arms = createLazyRegistry<Strategy>('strategy', ARMS)

/** Every strategy, in the order of the docs. A new one is a file or a folder here and one line above. */
export const strategies = createLazyRegistry<Strategy>('strategy', {
  ...ARMS,
  fuse: async () => (await import('./fuse.ts')).fuseStrategy,
  'rag-fusion': async () => (await import('./rag-fusion.ts')).ragFusion,
  router: async () => (await import('./router.ts')).routerOver(await arms.load()),
  run: async () => (await import('./run.ts')).runStrategy,
})
