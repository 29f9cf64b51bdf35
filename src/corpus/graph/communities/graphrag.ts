import { z } from 'zod'
import { hashTables, readGraphragCommunities } from '../foreign/graphrag.ts'
import { nestForeign } from '../foreign/nested.ts'
import { defineFinder } from './index.ts'

/**
 * Reads Microsoft GraphRAG's table of communities; entities are found by title. A community without an entity of the graph
 * is left out and counted; its children go to its nearest parent that is there.
 */
export default defineFinder({
  name: 'graphrag',
  version: 3,
  summary: 'the communities of a Microsoft GraphRAG index',
  params: z.strictObject({ path: z.string().min(1).describe("GraphRAG's output folder") }),
  only: 'path',
  files: ({ path }) =>
    hashTables(path, ['communities', 'entities'], 'prepare.communities: graphrag', ['nodes']),
  make: ({ path }) => ({
    check: () => readGraphragCommunities(path),
    async find({ entities }) {
      const { file, communities, unknown } = await readGraphragCommunities(path)
      return nestForeign(file, communities, entities, unknown)
    },
  }),
})
