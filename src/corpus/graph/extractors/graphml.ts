import { fileExtractor } from '../foreign/extractor.ts'
import { readGraphml } from '../foreign/xml.ts'

/** Reads a graph in GraphML over any corpus; its attributes are found by name. */
export const graphml = fileExtractor({
  name: 'graphml',
  summary: 'a graph in GraphML',
  describe: 'the GraphML file',
  read: readGraphml,
})
