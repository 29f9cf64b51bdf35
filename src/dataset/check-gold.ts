import { addTo } from '../maps.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Chunk, Document, JudgedQuery, Qrels } from '../types.ts'
import { compareSpans, relevantSpans, spanId } from './collapse.ts'
import {
  COUNT_MISSING,
  collectDatasetDiagnostics,
  type DataLocation,
  type DatasetDiagnostics,
  SAME_IDS,
} from './sink.ts'
import type { Dataset, GoldSpan, JudgedUnit } from './types.ts'

export interface PlacedLabel {
  readonly queryId: string
  readonly id: string
  readonly grade: number
  /** Labels of one query with the same group are alternatives. */
  readonly group?: string
  readonly span?: GoldSpan
  readonly location: DataLocation
}

interface Known {
  readonly documents: ReadonlyMap<string, Document>
  readonly queries: ReadonlyMap<string, JudgedQuery>
  readonly judgedUnit: JudgedUnit
  readonly missingGold: 'refuse' | 'count'
  readonly empty: ReadonlySet<string>
}

/** Beyond this many ids the search for a near one takes longer than it helps. */
const SEARCHED = 200_000

export function near(id: string, ids: ReadonlyMap<string, unknown>): string {
  return ids.size > SEARCHED ? '' : didYouMean(id, ids.keys())
}

/** True for an offset between the two UTF-16 units of one character. */
function isInside(text: string, offset: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(offset - 1, offset + 1))
}

function spanError({ documentId, start, end }: GoldSpan, document?: Document): string | undefined {
  if (start >= end) return `the span ${start} to ${end} is empty; end is the offset after the last character`
  if (!document) return undefined
  if (end > document.text.length)
    return `the span ends at ${end}, but the text of "${documentId}" has ${document.text.length} characters`
  return [start, end].some((offset) => isInside(document.text, offset))
    ? `the span ${start} to ${end} cuts a character of "${documentId}" in two: offsets count UTF-16 units, as JavaScript does, and Python counts characters`
    : undefined
}

/** Labels and spans by query, their OR-groups, and the number of gold documents that are missing. */
export function checkGold(labels: readonly PlacedLabel[], content: Known, diagnostics: DatasetDiagnostics) {
  const qrels = new Map<string, Map<string, number>>()
  const spans = new Map<string, GoldSpan[]>()
  const groups = new Map<string, Map<string, string>>()
  let [missing, foreign] = [0, 0]
  for (const { queryId, id, grade, group, span, location } of labels) {
    const wrong = (make: () => string) => diagnostics.add(() => ({ ...location, message: make() }))
    const isKnownQuery = content.queries.size === 0 || content.queries.has(queryId)
    // If a whole file could not be read, every line of this one would be wrong.
    if (!isKnownQuery) {
      wrong(() => `unknown query "${queryId}"${near(queryId, content.queries)}`)
      if (!span) continue
    }
    // Chunks are not cut yet when a dataset is loaded.
    const isForeign =
      (span !== undefined || content.judgedUnit !== 'chunk') &&
      content.documents.size > 0 &&
      !content.documents.has(id)
    if (isKnownQuery && isForeign) {
      if (!span) foreign++
      if (content.missingGold === 'refuse' && !content.empty.has(id)) {
        diagnostics.hint(COUNT_MISSING)
        wrong(() => `unknown document "${id}"${near(id, content.documents)}`)
      } else if (grade >= 1) missing++
    } else if (isKnownQuery && span) {
      const message = spanError(span, content.documents.get(id))
      if (message !== undefined) wrong(() => message)
    }
    if (span) {
      const list = spans.get(queryId) ?? []
      if (list.some((other) => compareSpans(other, span) === 0))
        wrong(() => `the same span is given twice for query "${queryId}"`)
      spans.set(queryId, [...list, span])
    } else {
      const grades = qrels.get(queryId) ?? new Map<string, number>()
      if (grades.has(id)) wrong(() => `"${id}" is judged twice for query "${queryId}"`)
      qrels.set(queryId, grades.set(id, grade))
    }
    if (group === undefined || (span === undefined) === (content.judgedUnit === 'span')) continue
    groups.set(queryId, (groups.get(queryId) ?? new Map()).set(span ? spanId(span) : id, group))
  }
  for (const list of spans.values()) list.sort(compareSpans)
  if (foreign > 0 && foreign === labels.filter(({ span }) => !span).length)
    diagnostics.hint(`none of the judged documents is in the corpus: ${SAME_IDS}`)
  const gold = content.judgedUnit === 'span' ? { qrels: new Map(), spans } : { qrels, spans: new Map() }
  return { qrels, spans, missing, groups: groupsOf(groups, (queryId) => relevantOf(queryId, gold)) }
}

/** OR-groups of the queries that have labels of groups; a relevant id without one is a group of its own. */
function groupsOf(
  labels: ReadonlyMap<string, ReadonlyMap<string, string>>,
  relevant: (queryId: string) => readonly string[],
): Map<string, string[][]> {
  const groups = new Map<string, string[][]>()
  for (const [queryId, labelled] of labels) {
    const byLabel = new Map<string, string[]>()
    for (const id of relevant(queryId)) {
      const label = labelled.get(id)
      const key = label === undefined ? `id ${id}` : `group ${label}`
      addTo(byLabel, key, id)
    }
    groups.set(queryId, [...byLabel.values()])
  }
  return groups
}

/** Relevant labels of a query: ids of documents or chunks, and names of spans. */
export function relevantOf(
  id: string,
  { qrels, spans }: { qrels: Qrels; spans: Dataset['spans'] },
): string[] {
  const judged = [...(qrels.get(id) ?? [])].flatMap(([label, grade]) => (grade >= 1 ? [label] : []))
  return [...judged, ...relevantSpans(spans.get(id)).map(spanId)]
}

/** Notice about queries whose labels and spans are all of grade 0 or lower. */
export function barrenQueries({ queries, ...gold }: Pick<Dataset, 'queries' | 'qrels' | 'spans'>): string[] {
  const barren = queries.filter(
    ({ id }) =>
      ((gold.qrels.get(id)?.size ?? 0) > 0 || gold.spans.has(id)) && relevantOf(id, gold).length === 0,
  ).length
  return barren === 0
    ? []
    : [
        `${barren} queries have labels and none of grade 1 or higher: no retriever can find anything for them, and they count as 0`,
      ]
}

/** Throws a UserError with every judged chunk that this chunking does not make. */
export function checkJudgedChunks(
  { judgedUnit, qrels }: Pick<Dataset, 'judgedUnit' | 'qrels'>,
  chunks: readonly Pick<Chunk, 'id'>[],
): void {
  if (judgedUnit !== 'chunk') return
  const chunkIds = new Map(chunks.map(({ id }) => [id, true]))
  const diagnostics = collectDatasetDiagnostics()
  for (const [queryId, grades] of qrels)
    for (const id of grades.keys())
      if (!chunkIds.has(id))
        diagnostics.add(() => ({
          message: `query "${queryId}": the chunking makes no chunk "${id}"${near(id, chunkIds)}`,
        }))
  diagnostics.close()
}
