import { createRegistry } from '../../../registry.ts'
import type { CommunityFinder } from './define.ts'
import { graphragCommunities } from './graphrag.ts'
import { leidenCommunities } from './leiden.ts'

/** Every way to find communities. */
export const communityFinders = createRegistry<CommunityFinder>('community finder', [
  graphragCommunities,
  leidenCommunities,
])
