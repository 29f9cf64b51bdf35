import { isBlank } from '../text/fold.ts'
import { otherSpellings } from '../text/id-spelling.ts'
import { idError } from '../text/ids.ts'
import { sortedById } from '../text/order.ts'
import type { Document, JudgedQuery } from '../types.ts'
import { barrenQueries } from './barren-queries.ts'
import { checkQrels, type PlacedQrel } from './check-qrels.ts'
import { checkSpans, type PlacedSpan } from './check-spans.ts'
import { relevantSpans } from './collapse.ts'
import { COUNT_MISSING, collectDatasetDiagnostics, SAME_IDS } from './diagnostics.ts'
import { hashDataset, hashDocuments } from './hash.ts'
import { identicalTexts } from './identical-texts.ts'
import { misdecodedTexts } from './misdecoded.ts'
import { addMissing, type PlacedMissing } from './missing-gold.ts'
import { foreignTwins, ownDocuments } from './own-documents.ts'
import type { Policies } from './policies.ts'
import type { DataLocation, DatasetSink } from './sink.ts'
import { spanUnits } from './span-units.ts'
import { syntheticNotices } from './synthetic.ts'
import type { Dataset, JudgedUnit } from './types.ts'

type Diagnostics = ReturnType<typeof collectDatasetDiagnostics>

/** Records of one dataset as a format read them, in the order of its files. */
interface Records {
  readonly documents: Map<string, Document>
  readonly queries: Map<string, JudgedQuery>
  /** First location of each id. */
  readonly locations: Readonly<Record<'document' | 'query', Map<string, DataLocation>>>
  readonly qrels: PlacedQrel[]
  readonly spans: PlacedSpan[]
  /** Gold that the files name and do not hold. */
  readonly lacking: PlacedMissing[]
  /** Ids of queries that are judged in another split. */
  readonly elsewhere: Set<string>
  readonly notices: string[]
  /** Ids of documents without text and title. */
  readonly empty: Set<string>
  judgedUnit: JudgedUnit
  titleOnly: number
  /** Texts that programs write for missing values. */
  nanTitles: number
  nanAnswers: number
}

/**
 * Entry to a dataset. Takes what a format read, and checks that it fits together: ids that are there and unique,
 * texts that are not empty, qrels of known queries and documents, every query judged or marked unanswerable.
 * `close` throws one UserError with every error, or returns the dataset.
 */
export function openDatasetBuilder(policies: Policies): { sink: DatasetSink; close(name: string): Dataset } {
  const diagnostics = collectDatasetDiagnostics()
  const records: Records = {
    documents: new Map(),
    queries: new Map(),
    locations: { document: new Map(), query: new Map() },
    qrels: [],
    spans: [],
    lacking: [],
    elsewhere: new Set(),
    notices: [],
    empty: new Set(),
    judgedUnit: 'document',
    titleOnly: 0,
    nanTitles: 0,
    nanAnswers: 0,
  }
  return {
    sink: collectRecords(records, diagnostics, policies),
    close: (name) => assemble(name, records, diagnostics, policies),
  }
}

/** Sink that stores each record, or a diagnostic if the record is wrong in itself. */
function collectRecords(
  records: Records,
  diagnostics: Diagnostics,
  { missingGold, emptyDocuments }: Policies,
): DatasetSink {
  const { documents, queries, locations } = records

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

  return {
    document(given, location) {
      const document = emptyDocuments === 'count' && isNan(given.text) ? { ...given, text: '' } : given
      if (isNan(document.title)) records.nanTitles++
      if (isNan(document.text))
        diagnostics.add(() => ({
          ...location,
          message: `document "${document.id}" has the text "${document.text}", which programs write for a missing value; leave it empty, or leave the document out; --allow-empty reads it as empty`,
        }))
      else if (isBlank(document.text)) {
        if (!isBlank(document.title)) records.titleOnly++
        else if (emptyDocuments === 'count') records.empty.add(document.id)
        else
          diagnostics.add(() => ({
            ...location,
            message: `document "${document.id}" has neither text nor title; --allow-empty leaves such documents out`,
          }))
      }
      admit('document', documents, document, location)
    },
    query(query, location) {
      if (query.answers.some(isNan)) records.nanAnswers++
      if (isNan(query.text))
        diagnostics.add(() => ({
          ...location,
          message: `query "${query.id}" has the text "${query.text}", which programs write for a missing value; leave the query out`,
        }))
      else if (isBlank(query.text))
        diagnostics.add(() => ({
          ...location,
          message: `query "${query.id}" has no text; write its question, or remove it`,
        }))
      admit('query', queries, query, location)
    },
    qrel(qrel, location) {
      const wrong = idError(qrel.queryId) ?? idError(qrel.id)
      if (wrong !== undefined) return diagnostics.add(() => ({ ...location, message: `an id ${wrong}` }))
      records.qrels.push({ ...qrel, location })
    },
    span(queryId, span, location, group) {
      records.spans.push({ queryId, span, location, group })
    },
    missing(queryId, gold, location) {
      if (missingGold === 'count') records.lacking.push({ queryId, ...gold, location })
      else {
        diagnostics.add(() => ({ ...location, message: gold.message }))
        // Text that was read with a reservation may lack the quote.
        for (const message of [...records.notices, COUNT_MISSING]) diagnostics.hint(message)
        // The query then has no gold: one diagnostic is enough.
        records.elsewhere.add(queryId)
      }
    },
    elsewhere(queryId) {
      records.elsewhere.add(queryId)
    },
    diagnostic(diagnostic) {
      diagnostics.add(() => diagnostic)
    },
    notice(message) {
      records.notices.push(message)
    },
    judged(unit) {
      records.judgedUnit = unit
    },
    known: { query: (id) => queries.has(id), document: (id) => documents.has(id) },
  }
}

/** Checks the records against one another. Throws a UserError with every error, or returns the dataset. */
function assemble(
  name: string,
  records: Records,
  diagnostics: Diagnostics,
  { missingGold, ownDocument }: Policies,
): Dataset {
  const { documents, queries, notices, empty, judgedUnit } = records
  if (records.titleOnly > 0) notices.push(`${records.titleOnly} documents have a title and no text`)
  if (records.nanTitles > 0)
    notices.push(
      `${records.nanTitles} documents have the title "nan" or the like, which programs write for a missing value; leave it empty if there is none`,
    )
  if (records.nanAnswers > 0)
    notices.push(
      `${records.nanAnswers} queries have the answer "nan" or the like, which programs write for a missing value; leave it empty if there is none`,
    )
  for (const id of empty) documents.delete(id)
  if (empty.size > 0) notices.push(`${empty.size} documents without text and title are left out`)
  const known = { documents, queries, judgedUnit, missingGold, empty }
  addMissing(records.lacking, { qrelList: records.qrels, spans: records.spans, judgedUnit })
  const judged = checkQrels(records.qrels, known, diagnostics)
  const spans = checkSpans(records.spans, known, diagnostics)
  const missing = judged.missing + spans.missing
  if (documents.size === 0 && !diagnostics.any())
    diagnostics.add(() => ({ file: '.', message: 'the data set holds no document' }))
  const hasGold = (id: string) => judged.qrels.has(id) || spans.spans.has(id)
  const scored = scoredQueries(records, hasGold, diagnostics, missingGold)
  if (missing > 0 && missing === relevantOf(judged.qrels, spans.spans))
    notices.push(`none of the judged documents is in the corpus: ${SAME_IDS}`)
  if (missing > 0)
    notices.push(`${missing} qrels name a document that is not in the corpus; they count as not found`)
  if (missing > 0 && judgedUnit === 'document') {
    const named = [...judged.qrels.values()].flatMap((labels) => [...labels.keys()])
    const spelled = otherSpellings(named, documents.keys())
    if (spelled)
      notices.push(
        `${spelled.count} judged documents are in the corpus in another spelling, which counts as another id (${spelled.example})`,
      )
  }
  notices.push(...barrenQueries({ queries: scored, qrels: judged.qrels, spans: spans.spans }))
  diagnostics.close()
  const content = { documents: sortedById([...documents.values()]), queries: sortedById(scored) }
  notices.push(...ownDocuments(documents, content.queries, judged.qrels, ownDocument))
  notices.push(...syntheticNotices(content.queries))
  const documentsHash = hashDocuments(content.documents)
  const gold = {
    qrels: judged.qrels,
    spans: spans.spans,
    groups: judgedUnit === 'span' ? spans.groups : judged.groups,
    judgedUnit,
    missingGold: missing,
  }
  notices.push(...foreignTwins({ ...content, ...gold }), ...identicalTexts({ ...content, ...gold }))
  notices.push(...misdecodedTexts(content), ...spanUnits(spans.spans, documents))
  return {
    name,
    hash: hashDataset(documentsHash, content.queries, gold),
    documentsHash,
    ...content,
    ...gold,
    notices,
  }
}

/** Queries with gold and queries marked unanswerable. Any other query is an error, or left out with a notice. */
function scoredQueries(
  { queries, locations, elsewhere, notices, qrels, spans }: Records,
  hasGold: (id: string) => boolean,
  diagnostics: Diagnostics,
  missingGold: Policies['missingGold'],
): JudgedQuery[] {
  // If the qrels could not be read, every query would lack one.
  const unread = qrels.length + spans.length === 0 && diagnostics.any()
  const scored: JudgedQuery[] = []
  let left = 0
  let goldless = 0
  for (const query of queries.values()) {
    const location = locations.query.get(query.id) as DataLocation
    if (hasGold(query.id) && !query.answerable)
      diagnostics.add(() => ({
        ...location,
        message: `query "${query.id}" is marked unanswerable and has labels`,
      }))
    if (hasGold(query.id) || !query.answerable) scored.push(query)
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
  if (goldless > 0 && scored.length === 0 && left === 0)
    diagnostics.add(() => ({ file: '.', message: 'no query has a label' }))
  if (goldless > 0) notices.push(`${goldless} queries without gold are left out`)
  if (left > 0) notices.push(`${left} queries are judged only in another split and left out`)
  return scored
}

/** Relevant qrels and spans. */
function relevantOf(qrels: Dataset['qrels'], spans: Dataset['spans']): number {
  const grades = [...qrels.values()].flatMap((labels) => [...labels.values()])
  return (
    grades.filter((grade) => grade >= 1).length +
    [...spans.values()].flatMap((own) => relevantSpans(own)).length
  )
}

/** True for the words that pandas and spreadsheets write for missing values and failed formulas. */
function isNan(text: string): boolean {
  return /^\s*(?:nan|NaN|<NA>|NaT|#N\/A|#REF!|#VALUE!|#DIV\/0!|#NAME\?|#NUM!|#NULL!)\s*$/.test(text)
}

function show({ file, line }: DataLocation): string {
  return line === undefined ? file : `${file}:${line}`
}
