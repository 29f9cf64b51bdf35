import { fileExtractor } from '../foreign/extractor.ts'
import { readNeo4j } from '../foreign/tables.ts'

/** Reads an export of Neo4j over any corpus: `apoc.export.json.all` or `apoc.export.csv.all`. */
export const neo4j = fileExtractor({
  name: 'neo4j',
  summary: 'an export of Neo4j, JSON or CSV by apoc.export',
  describe: 'the exported file',
  read: readNeo4j,
})
