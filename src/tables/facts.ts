import { readTable, writeTable } from './parquet.ts'
import { requireSchema, schemaMetadata } from './schema.ts'

const SCHEMA = { name: 'facts', version: 1 }

/** HippoRAG's facts as columns. Subjects and objects are rows of the entities table. */
export interface FactColumns {
  readonly subjects: Uint32Array
  readonly predicates: readonly string[]
  readonly objects: Uint32Array
  readonly counts: Uint32Array
}

export function writeFacts(path: string, { subjects, predicates, objects, counts }: FactColumns): void {
  const columns = [
    { name: 'subject', type: 'int32', values: subjects },
    { name: 'predicate', type: 'string', values: predicates },
    { name: 'object', type: 'int32', values: objects },
    { name: 'count', type: 'int32', values: counts },
  ] as const
  writeTable(path, columns, schemaMetadata(SCHEMA))
}

export async function readFacts(path: string): Promise<FactColumns> {
  const table = await readTable(path)
  requireSchema(table, SCHEMA)
  return {
    subjects: Uint32Array.from(table.numbers('subject')),
    predicates: table.strings('predicate'),
    objects: Uint32Array.from(table.numbers('object')),
    counts: Uint32Array.from(table.numbers('count')),
  }
}
