import type { Document, JudgedQuery, Qrels } from '../types.ts'

/** A corpus with gold, checked. Documents and queries are sorted by the bytes of their ids. */
export interface Dataset {
  readonly name: string
  /** Hash of all content: documents, queries, qrels. Equal content has an equal hash, whatever the format. */
  readonly hash: string
  /** Hash of the documents alone: new queries do not rebuild an index. */
  readonly documentsHash: string
  readonly documents: readonly Document[]
  /** The judged queries and the unanswerable ones; none where the format holds only documents. */
  readonly queries: readonly JudgedQuery[]
  readonly qrels: Qrels
  readonly judgedUnit: JudgedUnit
  readonly spans: ReadonlyMap<string, readonly GoldSpan[]>
  /**
   * OR-groups by query id: a group is found when any of its ids is. If a query has groups, every relevant id is in one. The id of a
   * span is its `spanId`.
   */
  readonly groups: ReadonlyMap<string, readonly (readonly string[])[]>
  /** Number of relevant qrels whose document is not in the corpus (`missingGold: count`). They stay in `qrels`. */
  readonly missingGold: number
  readonly notices: readonly string[]
  /** Field of metadata that documents and queries share, if it has several values: a query searches documents with its own. */
  readonly scope?: string | undefined
  /** Field of the queries' metadata that names the clusters of the comparison unless the config does. */
  readonly clusters?: string | undefined
  /** Mean number of documents that a query searches, with a scope. */
  readonly searched?: number
  readonly sample?: Sample
}

export type JudgedUnit = 'document' | 'chunk' | 'span'

/** A piece of a document's text, in UTF-16 offsets, `end` excluded. */
export interface GoldSpan {
  readonly documentId: string
  readonly start: number
  readonly end: number
  /** Grade of a label on the span; absent: 1. */
  readonly grade?: number
}

export interface SampleSettings {
  /** Number of queries; all where there are no more. */
  readonly queries: number
  readonly seed: number
}

export interface Sample extends SampleSettings {
  readonly of: number
}

/** A dataset whose documents are elsewhere, with their number and the UTF-16 units of their titles and texts. */
export type WithoutDocuments = Omit<Dataset, 'documents'> & {
  readonly documents: number
  readonly letters: number
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

function quoted(text: string): string {
  const line = text.slice(0, 200).replace(/\s+/g, ' ')
  return line.length > 60 ? `"${line.slice(0, 57)}..."` : `"${line}"`
}
