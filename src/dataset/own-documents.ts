import type { Document, JudgedQuery, Qrels } from '../types.ts'
import type { Policies } from './policies.ts'

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

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
