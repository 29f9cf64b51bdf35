import { z } from 'zod'
import { hashFile } from '../../../store/input.ts'
import { fromFiles } from '../foreign/graph.ts'
import { readGraphml } from '../foreign/graphml.ts'
import { defineExtractor } from './index.ts'

export default defineExtractor({
  name: 'graphml',
  version: 2,
  summary: 'a graph in GraphML',
  params: z.strictObject({ path: z.string().min(1).describe('the GraphML file') }),
  only: 'path',
  files: ({ path }) => ({ graph: hashFile(path, 'prepare.graph: graphml') }),
  make: ({ path }) => fromFiles(() => readGraphml(path)),
})
