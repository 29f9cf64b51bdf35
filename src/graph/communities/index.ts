import { createRegistry } from '../../registry.ts'
import type { CommunityFinder } from './define.ts'
import { graphrag } from './graphrag.ts'
import { leiden } from './leiden.ts'

/** Every way to find communities. */
export const communityFinders = createRegistry<CommunityFinder>('community finder', [graphrag, leiden])
