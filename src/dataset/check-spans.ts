import { groupsOf, type Known, near } from './check-qrels.ts'
import { compareSpans, relevantSpans, spanId } from './collapse.ts'
import { COUNT_MISSING, type DatasetDiagnostics } from './diagnostics.ts'
import type { DataLocation } from './sink.ts'
import type { GoldSpan } from './types.ts'

export interface PlacedSpan {
  readonly queryId: string
  readonly span: GoldSpan
  readonly location: DataLocation
  /** Spans of one query with the same label are alternatives. */
  readonly group?: string
}

/** True for an offset between the two UTF-16 units of one character. */
function isInside(text: string, offset: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(offset - 1, offset + 1))
}

/** Gold spans by query, in order, and their OR-groups; each must lie inside a document that the corpus holds. */
export function checkSpans(placed: readonly PlacedSpan[], known: Known, diagnostics: DatasetDiagnostics) {
  const spans = new Map<string, GoldSpan[]>()
  const labels = new Map<string, Map<string, string>>()
  let missing = 0
  for (const { queryId, span, location, group } of placed) {
    const { documentId, start, end } = span
    const document = known.documents.get(documentId)
    if (known.queries.size > 0 && !known.queries.has(queryId))
      diagnostics.add(() => ({
        ...location,
        message: `unknown query "${queryId}"${near(queryId, known.queries)}`,
      }))
    else if (known.documents.size > 0 && !document) {
      if (known.missingGold === 'count' || known.empty.has(documentId))
        missing += relevantSpans([span]).length
      else {
        diagnostics.hint(COUNT_MISSING)
        diagnostics.add(() => ({
          ...location,
          message: `unknown document "${documentId}"${near(documentId, known.documents)}`,
        }))
      }
    } else if (start >= end)
      diagnostics.add(() => ({
        ...location,
        message: `the span ${start} to ${end} is empty; end is the offset after the last character`,
      }))
    else if (document && end > document.text.length)
      diagnostics.add(() => ({
        ...location,
        message: `the span ends at ${end}, but the text of "${documentId}" has ${document.text.length} characters`,
      }))
    else if (document && [start, end].some((offset) => isInside(document.text, offset)))
      diagnostics.add(() => ({
        ...location,
        message: `the span ${start} to ${end} cuts a character of "${documentId}" in two: offsets count UTF-16 units, as JavaScript does, and Python counts characters`,
      }))
    const list = spans.get(queryId) ?? []
    if (list.some((other) => compareSpans(other, span) === 0))
      diagnostics.add(() => ({ ...location, message: `the same span is given twice for query "${queryId}"` }))
    list.push(span)
    spans.set(queryId, list)
    if (group !== undefined)
      labels.set(queryId, (labels.get(queryId) ?? new Map<string, string>()).set(spanId(span), group))
  }
  for (const list of spans.values()) list.sort(compareSpans)
  return {
    spans,
    missing,
    groups: groupsOf(labels, (queryId) => relevantSpans(spans.get(queryId)).map(spanId)),
  }
}
