import { z } from 'zod'
import { checkOver, overChunks } from '../foreign/graph.ts'
import { hashTables, readGraphragGraph } from '../foreign/graphrag.ts'
import { defineExtractor } from './define.ts'

/**
 * Reads Microsoft GraphRAG's tables of entities and relationships as they are. An entity is its exact title. A text unit is
 * found by its id, by the hash of its text, or by the overlap of its text.
 */
export const graphragExtractor = defineExtractor({
  name: 'graphrag',
  version: 4,
  summary: 'the entities and relationships of a Microsoft GraphRAG index',
  params: z.strictObject({ path: z.string().min(1).describe("GraphRAG's output folder") }),
  only: 'path',
  files: ({ path }) =>
    hashTables(path, ['entities', 'relationships'], 'prepare.graph: graphrag', ['text_units']),
  check: async (documents, { path }) => checkOver(await readGraphragGraph(path), documents),
  extract: async ({ chunks }, { path }) => overChunks(await readGraphragGraph(path), chunks),
})
