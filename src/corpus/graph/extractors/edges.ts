import { fileExtractor } from '../foreign/extractor.ts'
import { readEdges } from '../foreign/tables.ts'

/** Reads an edge list, CSV or TSV, over any corpus: one edge a row, with columns such as source, target, relation, weight, chunks. */
export const edges = fileExtractor({
  name: 'edges',
  summary: 'an edge list as CSV or TSV',
  describe: 'the file, with a line of column names',
  read: readEdges,
})
