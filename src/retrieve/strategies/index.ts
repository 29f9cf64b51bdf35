import { lancedb } from '../../engines/lancedb/strategy.ts'
import { lancedbText } from '../../engines/lancedb-text/strategy.ts'
import { pgvector } from '../../engines/pgvector/strategy.ts'
import { createRegistry } from '../../registry.ts'
import { bm25 } from './bm25.ts'
import type { Strategy } from './define.ts'
import { external } from './external.ts'
import { fuseStrategy } from './fuse.ts'
import { graphragGlobal } from './graphrag-global/strategy.ts'
import { graphragLocal } from './graphrag-local/strategy.ts'
import { hipporag } from './hipporag/strategy.ts'
import { hybrid } from './hybrid.ts'
import { lateInteraction } from './late-interaction.ts'
import { lightrag } from './lightrag/strategy.ts'
import { multiHop } from './multi-hop/strategy.ts'
import { naive } from './naive.ts'
import { ragFusion } from './rag-fusion.ts'
import { random } from './random.ts'
import { raptor } from './raptor/strategy.ts'
import { rm3Strategy } from './rm3/strategy.ts'
import { rocchioStrategy } from './rocchio.ts'
import { routerOver } from './router.ts'
import { runStrategy } from './run.ts'
import { sparse } from './sparse.ts'
import { titlePpr } from './title-ppr/strategy.ts'
import { traversal } from './traversal/strategy.ts'
import { wholeCorpus } from './whole-corpus.ts'

const single: readonly Strategy[] = [
  naive,
  bm25,
  hybrid,
  graphragLocal,
  graphragGlobal,
  lightrag,
  hipporag,
  titlePpr,
  traversal,
  multiHop,
  raptor,
  rm3Strategy,
  rocchioStrategy,
  sparse,
  lateInteraction,
  random,
  wholeCorpus,
]

/** Every strategy, in the order of the docs. A new one is one file and one line above. */
export const strategies = createRegistry<Strategy>('strategy', [
  ...single,
  fuseStrategy,
  ragFusion,
  routerOver(single),
  runStrategy,
  external,
  lancedb,
  lancedbText,
  pgvector,
])
