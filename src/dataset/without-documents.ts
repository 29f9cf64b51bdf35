import type { Dataset } from './types.ts'

/** A dataset whose documents are elsewhere: how many there are, and the UTF-16 units of their titles and texts. */
export type WithoutDocuments = Omit<Dataset, 'documents'> & {
  readonly documents: number
  readonly letters: number
  /** First document and first query as they were read, a line each. */
  readonly first: readonly string[]
}

export function withoutDocuments(dataset: Dataset): WithoutDocuments {
  const letters = dataset.documents.reduce((sum, { title, text }) => sum + title.length + text.length, 0)
  return { ...dataset, documents: dataset.documents.length, letters, first: firstRecords(dataset) }
}

/** The first document and the first query with gold as they were read, a line each: swapped columns show here. */
export function firstRecords({ documents, queries, qrels, spans }: Dataset): string[] {
  const goldOf = (id: string) => [
    ...[...(qrels.get(id) ?? [])].map(([gold, grade]) => `${quoted(gold)} (grade ${grade})`),
    ...(spans.get(id) ?? []).map(
      ({ documentId, start, end }) => `${quoted(documentId)} (${start} to ${end})`,
    ),
  ]
  const query = queries.find(({ id }) => goldOf(id).length > 0)
  return [
    ...documents
      .slice(0, 1)
      .map(
        ({ id, title, text }) =>
          `first document: ${quoted(id)}, title ${quoted(title)}, text ${quoted(text)}`,
      ),
    ...(query
      ? [`first query: ${quoted(query.id)}, text ${quoted(query.text)}, gold ${goldOf(query.id)[0]}`]
      : []),
  ]
}

/** The beginning of a text, in one line. */
function quoted(text: string): string {
  const line = text.slice(0, 200).replace(/\s+/g, ' ')
  return line.length > 60 ? `"${line.slice(0, 57)}..."` : `"${line}"`
}
