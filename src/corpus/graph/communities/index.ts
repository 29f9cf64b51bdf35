import { createRegistry } from '../../../registry.ts'
import type { CommunityFinder } from './define.ts'
import { graphragCommunities } from './graphrag.ts'
import { leidenCommunities } from './leiden.ts'
import { nanoGraphragCommunities } from './nano-graphrag.ts'

/** Built-in community finders. */
export const communityFinders = createRegistry<CommunityFinder>('community finder', [
  graphragCommunities,
  leidenCommunities,
  nanoGraphragCommunities,
])
