import { join } from 'node:path'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { readDocuments, writeDocuments } from '../tables/documents.ts'
import type { Document } from '../types.ts'

const FILE = 'documents.parquet'

/** The corpus as a table, sorted by id bytes. `source.hash` is the hash of the documents alone; `load` runs only where the table is missing. */
export function documentsTable(source: {
  readonly hash: string
  readonly load: () => Promise<readonly Document[]>
}): Artifact<readonly Document[]> {
  return defineArtifact({
    name: 'documents',
    version: 1,
    params: { hash: source.hash },
    inputs: {},
    async build(folder) {
      writeDocuments(join(folder, FILE), await source.load())
    },
    open: (folder) => readDocuments(join(folder, FILE)),
  })
}
