import { createRegistry } from '../../registry.ts'
import { bm25 } from './bm25.ts'
import type { Strategy } from './define.ts'
import { external } from './external.ts'
import { fuseStrategy } from './fuse.ts'
import { graphragGlobal } from './graphrag-global.ts'
import { graphragLocal } from './graphrag-local.ts'
import { hipporag } from './hipporag.ts'
import { hybrid } from './hybrid.ts'
import { lancedb } from './lancedb.ts'
import { lancedbText } from './lancedb-text.ts'
import { lateInteraction } from './late-interaction.ts'
import { lightrag } from './lightrag.ts'
import { multiHop } from './multi-hop.ts'
import { naive } from './naive.ts'
import { pgvector } from './pgvector.ts'
import { ragFusion } from './rag-fusion.ts'
import { random } from './random.ts'
import { raptor } from './raptor.ts'
import { rm3Strategy } from './rm3.ts'
import { rocchioStrategy } from './rocchio.ts'
import { routerOver } from './router.ts'
import { runStrategy } from './run.ts'
import { sparse } from './sparse.ts'
import { titlePpr } from './title-ppr.ts'
import { traversal } from './traversal.ts'
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
