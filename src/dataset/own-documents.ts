import { withoutInvisible } from '../text/fold.ts'
import type { Document, JudgedQuery, Qrels } from '../types.ts'
import { relevantSpans } from './collapse.ts'
import type { Policies } from './format.ts'
import type { Dataset } from './types.ts'

/**
 * Notices about queries that are documents themselves, as in ArguAna and Quora: what `ownDocument` does to them, or
 * that it should be set.
 */
export function ownDocuments(
  documents: ReadonlyMap<string, Document>,
  queries: readonly JudgedQuery[],
  qrels: Qrels,
  policy: Policies['ownDocument'],
): string[] {
  if (policy === 'keep') return []
  const shared = queries.filter(({ id }) => documents.has(id))
  if (shared.length === 0)
    return policy === 'drop' ? ['`ownDocument: drop` changes nothing: no query id is a document id'] : []
  const equal = shared.filter(({ id, text }) => {
    const document = documents.get(id) as Document
    const asked = plain(text)
    return plain(document.text) === asked || plain(`${document.title} ${document.text}`) === asked
  }).length
  const found = `${shared.length} of ${queries.length} query ids are document ids, ${equal} of them with the same text`
  if (policy === undefined)
    return [
      equal > 0
        ? `${found}: such a query finds itself first; \`ownDocument: drop\` of the dataset leaves its own document out, as BEIR does, \`keep\` keeps it`
        : `${found}: if the document is the query itself, set \`ownDocument: drop\` of the dataset, else \`keep\``,
    ]
  const gold = shared.filter(({ id }) => (qrels.get(id)?.get(id) ?? 0) >= 1).length
  return [
    `${found}: \`ownDocument: drop\` leaves the document with a query's own id out of its rankings`,
    ...(gold > 0
      ? [`${gold} queries have their own document as gold, which \`drop\` keeps from being found`]
      : []),
  ]
}

/** Notice about queries whose text is that of a document under another id, which is no gold of theirs. */
export function foreignTwins({
  documents,
  queries,
  qrels,
  spans,
  judgedUnit,
}: Pick<Dataset, 'documents' | 'queries' | 'qrels' | 'spans' | 'judgedUnit'>): string[] {
  // Documents of judged chunks are not known before they are cut.
  if (judgedUnit === 'chunk') return []
  const asked = new Map<string, JudgedQuery[]>()
  for (const query of queries) {
    const text = plain(query.text)
    asked.set(text, [...(asked.get(text) ?? []), query])
  }
  const longest = 2 * Math.max(0, ...[...asked.keys()].map(({ length }) => length))
  const isGold = (query: string, document: string) =>
    (qrels.get(query)?.get(document) ?? 0) >= 1 ||
    relevantSpans(spans.get(query)).some(({ documentId }) => documentId === document)
  const twins = new Map<string, string>()
  for (const { id, title, text } of documents) {
    if (text.length > longest) continue
    for (const query of [plain(text), plain(`${title} ${text}`)].flatMap((own) => asked.get(own) ?? []))
      if (query.id !== id && !isGold(query.id, id)) twins.set(query.id, id)
  }
  const [first] = twins
  if (!first) return []
  return [
    `${twins.size} queries have the text of a document that is no gold of theirs ("${first[0]}" that of "${first[1]}"), which they find first: if it is the query itself, give both one id and set \`ownDocument: drop\` of the dataset`,
  ]
}

/** A text as search sees it: letters' case, white space, composition and characters that nobody sees apart. */
function plain(text: string): string {
  return withoutInvisible(text).normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
}
