import { idError } from '../text/ids.ts'
import { sortedById } from '../text/order.ts'
import type { Document, JudgedQuery } from '../types.ts'
import { checkQrels, type PlacedQrel } from './check-qrels.ts'
import { checkSpans, type PlacedSpan } from './check-spans.ts'
import { COUNT_MISSING, collectDatasetDiagnostics, SAME_IDS } from './diagnostics.ts'
import { hashDataset, hashDocuments } from './hash.ts'
import { identicalTexts } from './identical-texts.ts'
import { addMissing, type PlacedMissing } from './missing-gold.ts'
import { ownDocuments } from './own-documents.ts'
import type { Policies } from './policies.ts'
import type { DataLocation, DatasetSink } from './sink.ts'
import type { Dataset, JudgedUnit } from './types.ts'

/**
 * The door of a dataset. Takes what a format read, and checks that it fits together: ids that are there and unique,
 * texts that are not empty, qrels of known queries and documents, every query judged or marked unanswerable.
 * `close` throws one UserError with every error, or gives the dataset.
 */
export function openDatasetBuilder({ missingGold, emptyDocuments, ownDocument }: Policies): {
  sink: DatasetSink
  close(name: string): Dataset
} {
  const diagnostics = collectDatasetDiagnostics()
  const documents = new Map<string, Document>()
  const queries = new Map<string, JudgedQuery>()
  const locations = { document: new Map<string, DataLocation>(), query: new Map<string, DataLocation>() }
  const qrelList: PlacedQrel[] = []
  const spans: PlacedSpan[] = []
  const lacking: PlacedMissing[] = []
  const elsewhere = new Set<string>()
  const notices: string[] = []
  let judgedUnit: JudgedUnit = 'document'
  const empty = new Set<string>()
  let titleOnly = 0

  function admit<T extends { id: string }>(
    kind: 'document' | 'query',
    items: Map<string, T>,
    item: T,
    location: DataLocation,
  ) {
    const first = locations[kind].get(item.id)
    const wrong = idError(item.id)
    if (wrong) diagnostics.add(() => ({ ...location, message: `the ${kind}'s id ${wrong}` }))
    else if (first)
      diagnostics.add(() => ({
        ...location,
        message: `duplicate ${kind} id "${item.id}" (first at ${show(first)})`,
      }))
    else {
      locations[kind].set(item.id, location)
      items.set(item.id, item)
    }
  }

  const sink: DatasetSink = {
    document(document, location) {
      if (document.text.trim() === '') {
        if (document.title.trim() !== '') titleOnly++
        else if (emptyDocuments === 'count') empty.add(document.id)
        else
          diagnostics.add(() => ({
            ...location,
            message: `document "${document.id}" has neither text nor title; --allow-empty leaves such documents out`,
          }))
      }
      admit('document', documents, document, location)
    },
    query(query, location) {
      if (query.text.trim() === '')
        diagnostics.add(() => ({ ...location, message: `query "${query.id}" has no text` }))
      admit('query', queries, query, location)
    },
    qrel(qrel, location) {
      const wrong = idError(qrel.queryId) ?? idError(qrel.id)
      if (wrong !== undefined) return diagnostics.add(() => ({ ...location, message: `an id ${wrong}` }))
      qrelList.push({ ...qrel, location })
    },
    span(queryId, span, location, group) {
      spans.push({ queryId, span, location, group })
    },
    missing(queryId, gold, location) {
      if (missingGold === 'count') lacking.push({ queryId, ...gold, location })
      else {
        diagnostics.add(() => ({ ...location, message: gold.message }))
        diagnostics.hint(COUNT_MISSING)
        // That the query then has no gold goes without saying.
        elsewhere.add(queryId)
      }
    },
    elsewhere(queryId) {
      elsewhere.add(queryId)
    },
    diagnostic(diagnostic) {
      diagnostics.add(() => diagnostic)
    },
    notice(message) {
      notices.push(message)
    },
    judged(unit) {
      judgedUnit = unit
    },
    known: { query: (id) => queries.has(id), document: (id) => documents.has(id) },
  }

  function close(name: string): Dataset {
    if (titleOnly > 0) notices.push(`${titleOnly} documents have a title and no text`)
    for (const id of empty) documents.delete(id)
    if (empty.size > 0) notices.push(`${empty.size} documents without text and title are left out`)
    const known = { documents, queries, judgedUnit, missingGold, empty }
    addMissing(lacking, { qrelList, spans, judgedUnit })
    const { qrels, groups, missing: missingJudged } = checkQrels(qrelList, known, diagnostics)
    const {
      spans: goldSpans,
      groups: spanGroups,
      missing: missingSpans,
    } = checkSpans(spans, known, diagnostics)
    const missing = missingJudged + missingSpans
    if (documents.size === 0 && !diagnostics.any())
      diagnostics.add(() => ({ file: '.', message: 'the data set holds no document' }))
    // Where the qrels could not be read, every query would lack one.
    const unread = qrelList.length + spans.length === 0 && diagnostics.any()
    const judged = (id: string) => qrels.has(id) || goldSpans.has(id)
    const kept: JudgedQuery[] = []
    let left = 0
    let goldless = 0
    for (const query of queries.values()) {
      const location = locations.query.get(query.id) as DataLocation
      if (judged(query.id) && !query.answerable)
        diagnostics.add(() => ({
          ...location,
          message: `query "${query.id}" is marked unanswerable and has labels`,
        }))
      if (judged(query.id) || !query.answerable) kept.push(query)
      else if (elsewhere.has(query.id)) left++
      else if (missingGold === 'count') goldless++
      else if (!unread) {
        diagnostics.hint(COUNT_MISSING)
        diagnostics.add(() => ({
          ...location,
          message: `query "${query.id}" has no label; where no gold can exist, mark it "answerable": false in its metadata`,
        }))
      }
    }
    if (goldless > 0 && kept.length === 0 && left === 0)
      diagnostics.add(() => ({ file: '.', message: 'no query has a label' }))
    if (goldless > 0) notices.push(`${goldless} queries without gold are left out`)
    if (left > 0) notices.push(`${left} queries are judged only in another split and left out`)
    if (missing > 0 && missing === relevantOf(qrels, goldSpans))
      notices.push(`none of the judged documents is in the corpus: ${SAME_IDS}`)
    if (missing > 0)
      notices.push(`${missing} qrels name a document that is not in the corpus; they count as not found`)
    diagnostics.close()
    const content = { documents: sortedById([...documents.values()]), queries: sortedById(kept) }
    notices.push(...ownDocuments(documents, content.queries, qrels, ownDocument))
    const documentsHash = hashDocuments(content.documents)
    const gold = {
      qrels,
      spans: goldSpans,
      groups: judgedUnit === 'span' ? spanGroups : groups,
      judgedUnit,
      missingGold: missing,
    }
    notices.push(...identicalTexts({ ...content, ...gold }))
    return {
      name,
      hash: hashDataset(documentsHash, content.queries, gold),
      documentsHash,
      ...content,
      ...gold,
      notices,
    }
  }

  return { sink, close }
}

/** Relevant qrels and gold spans. */
function relevantOf(qrels: Dataset['qrels'], spans: Dataset['spans']): number {
  const grades = [...qrels.values()].flatMap((labels) => [...labels.values()])
  return grades.filter((grade) => grade >= 1).length + [...spans.values()].flat().length
}

function show({ file, line }: DataLocation): string {
  return line === undefined ? file : `${file}:${line}`
}
