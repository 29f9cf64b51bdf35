import { z } from 'zod'
import { nestedCommunities } from '../leiden/hierarchy.ts'
import { defineFinder } from './index.ts'

export default defineFinder({
  name: 'leiden',
  version: 1,
  summary: 'hierarchical Leiden: connected, nested communities of high modularity',
  params: z.strictObject({
    maxSize: z.int().min(2).max(1_000_000).default(10).describe('communities with more entities are split'),
    resolution: z.number().positive().max(1000).default(1).describe('above 1: smaller communities'),
    seed: z.int().min(0).max(0xffffffff).default(0),
  }),
  make: (params) => ({ find: ({ csr }) => ({ communities: nestedCommunities(csr, params) }) }),
})
