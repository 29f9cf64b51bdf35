import { fileExtractor } from '../foreign/extractor.ts'
import { readGexf } from '../foreign/xml.ts'

/** Reads a graph in GEXF over any corpus; its attributes are found by name. */
export const gexf = fileExtractor({
  name: 'gexf',
  summary: 'a graph in GEXF',
  describe: 'the GEXF file',
  read: readGexf,
})
