import type { FieldNames } from './records.ts'
import type { DatasetSink } from './sink.ts'
import { openSource } from './source.ts'

/** Names of a field, the first of them the format's own, the others in its place, best first. */
type Names = Readonly<Record<keyof FieldNames, readonly string[]>>

export const DOCUMENT_NAMES: Names = {
  id: ['_id', 'id', 'doc_id', 'docid', 'docno', 'document_id'],
  text: ['text', 'contents', 'content', 'body', 'passage', 'page_content'],
}
export const QUERY_NAMES: Names = {
  id: ['_id', 'id', 'query_id', 'qid', 'question_id'],
  text: ['text', 'query', 'question'],
}

/** Fields that hold ids and texts in a JSONL file, with a notice if they are not the format's own. */
export function namesIn(path: string, file: string, names: Names, sink: DatasetSink): FieldNames {
  const found = { id: fieldIn(path, file, names.id), text: fieldIn(path, file, names.text) }
  const read = (['id', 'text'] as const).filter((role) => found[role] !== names[role][0])
  if (read.length > 0) sink.notice(`${file}: ${read.map((role) => `${role}=${found[role]}`).join(', ')}`)
  return found
}

/**
 * The field of the format's own name; if the beginning of the file has none, the best other that the first record has.
 */
export function fieldIn(path: string, file: string, [own, ...others]: readonly string[]): string {
  const { keys, head } = openSource(path).shape(file)
  return head.includes(JSON.stringify(own)) ? own : (others.find((name) => keys.includes(name)) ?? own)
}
