import { z } from 'zod'
import { hashFile } from '../../../store/input.ts'
import { checkOver, overChunks } from '../foreign/graph.ts'
import { readGraphml } from '../foreign/graphml.ts'
import { refusePickle } from '../foreign/pickle.ts'
import { graphOfRecords } from '../foreign/records.ts'
import { defineExtractor } from './define.ts'

/** Reads a graph in GraphML over any corpus; its attributes are found by name. */
export const graphml = defineExtractor({
  name: 'graphml',
  version: 2,
  summary: 'a graph in GraphML',
  params: z.strictObject({ path: z.string().min(1).describe('the GraphML file') }),
  only: 'path',
  files: ({ path }) => ({ graph: hashFile(path, 'prepare.graph: graphml') }),
  check: (documents, { path }) => checkOver(open(path), documents),
  extract: ({ chunks }, { path }) => overChunks(open(path), chunks),
})

function open(path: string) {
  refusePickle(path)
  return graphOfRecords(path, readGraphml(path))
}
