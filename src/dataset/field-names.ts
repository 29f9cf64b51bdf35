import { DOCUMENT_TEXT, QUERY_TEXT } from './dataset-roles.ts'
import type { FieldNames } from './records.ts'
import type { DatasetSink } from './sink.ts'
import { openSource } from './source.ts'

/** Names of a field, the first of them the format's own, the others in its place, best first. */
type Names = Readonly<Record<keyof FieldNames, readonly string[]>>

export const DOCUMENT_NAMES: Names = {
  id: ['_id', 'id', 'doc_id', 'docid', 'docno', 'document_id'],
  text: DOCUMENT_TEXT.names.flat(),
}
export const QUERY_NAMES: Names = {
  id: ['_id', 'id', 'query_id', 'qid', 'question_id'],
  // A title is no question where a text is due.
  text: QUERY_TEXT.names[0],
}

/** Fields that hold ids and texts in a JSONL file, with a notice if they are not the format's own. */
export function namesIn(path: string, file: string, names: Names, sink: DatasetSink): FieldNames {
  const found = { id: fieldIn(path, file, names.id), text: fieldIn(path, file, names.text) }
  const read = (['id', 'text'] as const).filter((role) => found[role] !== names[role][0])
  if (read.length > 0) sink.notice(`${file}: ${read.map((role) => `${role}=${found[role]}`).join(', ')}`)
  return found
}

/** The field with the format's own name or, if the beginning of the file has none, the best of the others in the first record. */
export function fieldIn(path: string, file: string, [own, ...others]: readonly string[]): string {
  const { keys, head } = openSource(path).shape(file)
  return head.includes(JSON.stringify(own)) ? own : (others.find((name) => keys.includes(name)) ?? own)
}
