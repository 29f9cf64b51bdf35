import { z } from 'zod'
import { fromFiles } from '../foreign/graph.ts'
import { hashTables, readGraphragGraph } from '../foreign/graphrag.ts'
import { defineExtractor } from './index.ts'

/** An entity is its exact title. A text unit is found by its id, or by the hash or the overlap of its text. */
export default defineExtractor({
  name: 'graphrag',
  version: 4,
  summary: 'the entities and relationships of a Microsoft GraphRAG index',
  params: z.strictObject({ path: z.string().min(1).describe("GraphRAG's output folder") }),
  only: 'path',
  files: ({ path }) =>
    hashTables(path, ['entities', 'relationships'], 'prepare.graph: graphrag', ['text_units']),
  make: ({ path }) => fromFiles(() => readGraphragGraph(path)),
})
