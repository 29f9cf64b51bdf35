import { isBlank } from '../text/characters.ts'
import { idError, otherSpellings, sortedById } from '../text/ids.ts'
import type { Document, JudgedQuery } from '../types.ts'
import { barrenQueries, checkGold, type PlacedLabel, relevantOf } from './check-gold.ts'
import type { Policies } from './format.ts'
import { hashDataset, hashDocuments } from './hash.ts'
import {
  foreignTwins,
  identicalTexts,
  misdecodedTexts,
  ownDocuments,
  spanUnits,
  syntheticNotices,
} from './notices.ts'
import { isNan } from './schema.ts'
import {
  COUNT_MISSING,
  collectDatasetDiagnostics,
  type DataLocation,
  type DatasetSink,
  type MissingGold,
  ofAny,
  SAME_IDS,
} from './sink.ts'
import type { Dataset, JudgedUnit } from './types.ts'

type Diagnostics = ReturnType<typeof collectDatasetDiagnostics>

interface Records {
  readonly documents: Map<string, Document>
  readonly queries: Map<string, JudgedQuery>
  readonly locations: Readonly<Record<'document' | 'query', Map<string, DataLocation>>>
  readonly labels: PlacedLabel[]
  /** Gold that the files name and do not hold. */
  readonly lacking: (MissingGold & { readonly queryId: string; readonly location: DataLocation })[]
  /** Ids of queries that are judged in another split; undefined for a label that could not be read. */
  readonly elsewhere: Set<string | undefined>
  readonly notices: string[]
  judgedUnit: JudgedUnit
}

/**
 * Checks that the records of a dataset fit together: unique ids, labels of known queries and documents, every query judged or
 * unanswerable. `close` returns the dataset, or throws one UserError with every error.
 */
export function openDatasetBuilder(policies: Policies): { sink: DatasetSink; close(name: string): Dataset } {
  const diagnostics = collectDatasetDiagnostics()
  const records: Records = {
    documents: new Map(),
    queries: new Map(),
    locations: { document: new Map(), query: new Map() },
    labels: [],
    lacking: [],
    elsewhere: new Set(),
    notices: [],
    judgedUnit: 'document',
  }
  return {
    sink: collectRecords(records, diagnostics, policies),
    close: (name) => assemble(name, records, diagnostics, policies),
  }
}

function collectRecords(records: Records, diagnostics: Diagnostics, { missingGold }: Policies): DatasetSink {
  const { documents, queries, locations, labels, lacking, elsewhere, notices } = records
  const admit = <T extends { id: string }>(
    kind: 'document' | 'query',
    items: Map<string, T>,
    item: T,
    location: DataLocation,
  ) => {
    const first = locations[kind].get(item.id)
    if (!first) {
      locations[kind].set(item.id, location)
      items.set(item.id, item)
    } else
      diagnostics.add(() => {
        const place = first.line === undefined ? first.file : `${first.file}:${first.line}`
        return { ...location, message: `duplicate ${kind} id "${item.id}" (first at ${place})` }
      })
  }
  return {
    document: (document, location) => admit('document', documents, document, location),
    query: (query, location) => admit('query', queries, query, location),
    qrel(qrel, location) {
      const wrong = idError(qrel.queryId) ?? idError(qrel.id)
      if (wrong === undefined) labels.push({ ...qrel, location })
      else diagnostics.add(() => ({ ...location, message: `an id ${wrong}` }))
    },
    span: (queryId, span, location, group) =>
      void labels.push({ queryId, id: span.documentId, grade: span.grade ?? 1, span, location, group }),
    missing(queryId, gold, location) {
      if (missingGold === 'count') return void lacking.push({ queryId, ...gold, location })
      // Text that was read with a reservation may lack the quote.
      for (const message of notices) diagnostics.hint(message)
      diagnostics.add(() => {
        const near = gold.near?.() ?? ''
        if (near === '') diagnostics.hint(COUNT_MISSING)
        return { ...location, message: gold.message + near }
      })
      elsewhere.add(queryId)
    },
    elsewhere: (queryId) => void elsewhere.add(queryId),
    diagnostic: (diagnostic) => diagnostics.add(() => diagnostic),
    notice: (message) => void notices.push(message),
    judged(unit) {
      records.judgedUnit = unit
    },
    known: { query: (id) => queries.has(id), document: (id) => documents.has(id) },
  }
}

function assemble(name: string, records: Records, diagnostics: Diagnostics, policies: Policies): Dataset {
  const { documents, queries, judgedUnit, notices } = records
  const { missingGold, ownDocument } = policies
  const empty = new Set<string>()
  for (const [id, { title, text }] of documents) if (isBlank(text) && isBlank(title)) empty.add(id)
  for (const id of empty) documents.delete(id)
  notices.push(...recordNotices([...documents.values()], [...queries.values()], empty.size))
  const labels = [...records.labels, ...missingLabels(records)]
  const context = { documents, queries, judgedUnit, missingGold, empty }
  const { missing, ...found } = checkGold(labels, context, diagnostics)
  if (documents.size === 0 && !diagnostics.any())
    diagnostics.add(() => ({ file: '.', message: 'the data set holds no document' }))
  const scored = scoredQueries(records, found, diagnostics, missingGold)
  notices.push(...missingNotices(missing, found, context), ...barrenQueries({ queries: scored, ...found }))
  diagnostics.close()
  const content = { documents: sortedById([...documents.values()]), queries: sortedById(scored) }
  const documentsHash = hashDocuments(content.documents)
  const gold = { ...found, judgedUnit, missingGold: missing }
  const whole = { ...content, ...gold }
  notices.push(...ownDocuments(documents, whole, ownDocument), ...syntheticNotices(content.queries))
  notices.push(...foreignTwins(whole), ...identicalTexts(whole), ...misdecodedTexts(content))
  notices.push(...spanUnits(gold.spans, documents))
  return { name, hash: hashDataset(documentsHash, content.queries, gold), documentsHash, ...whole, notices }
}

function recordNotices(
  documents: readonly Document[],
  queries: readonly JudgedQuery[],
  empty: number,
): string[] {
  const nan = 'or the like, which programs write for a missing value; leave it empty if there is none'
  const counts: [number, string][] = [
    [documents.filter(({ text }) => isBlank(text)).length, 'documents have a title and no text'],
    [documents.filter(({ title }) => isNan(title)).length, `documents have the title "nan" ${nan}`],
    [queries.filter(({ answers }) => answers.some(isNan)).length, `queries have the answer "nan" ${nan}`],
    [empty, 'documents without text and title are left out'],
  ]
  return ofAny(...counts.map(([count, words]): [number, string] => [count, `${count} ${words}`]))
}

/**
 * Labels of gold that the files lack, under an id that no corpus has, so that it counts as not found. A query without other gold
 * gets none and is left out.
 */
function missingLabels({ labels, lacking, judgedUnit }: Records): PlacedLabel[] {
  const judged = new Set(labels.map(({ queryId }) => queryId))
  const seen = new Set<string>()
  return lacking.flatMap(({ queryId, name, group, location }): PlacedLabel[] => {
    const id = `missing: ${name.replace(/\s+/g, ' ').trim()}`
    const key = JSON.stringify([queryId, id])
    if (!judged.has(queryId) || seen.has(key)) return []
    seen.add(key)
    const span = judgedUnit === 'span' && { span: { documentId: id, start: 0, end: 1 } }
    return [{ queryId, id, grade: 1, group, location, ...span }]
  })
}

type Gold = Pick<Dataset, 'qrels' | 'spans' | 'groups'>

function missingNotices(
  missing: number,
  gold: Gold,
  {
    documents,
    judgedUnit,
  }: { readonly documents: ReadonlyMap<string, Document>; readonly judgedUnit: JudgedUnit },
): string[] {
  if (missing === 0) return []
  const ids = new Set([...gold.qrels.keys(), ...gold.spans.keys()])
  const relevant = [...ids].reduce((sum, id) => sum + relevantOf(id, gold).length, 0)
  const named = [...gold.qrels.values()].flatMap((labels) => [...labels.keys()])
  const spelled = judgedUnit === 'document' ? otherSpellings(named, documents.keys()) : undefined
  return ofAny(
    [missing === relevant ? 1 : 0, `none of the judged documents is in the corpus: ${SAME_IDS}`],
    [missing, `${missing} qrels name a document that is not in the corpus; they count as not found`],
    [
      spelled?.count ?? 0,
      `${spelled?.count} judged documents are in the corpus in another spelling, which counts as another id (${spelled?.example})`,
    ],
  )
}

/** Queries with gold and queries marked unanswerable. Any other query is an error, or left out with a notice. */
function scoredQueries(
  { queries, locations, elsewhere, notices, labels }: Records,
  { qrels, spans }: Gold,
  diagnostics: Diagnostics,
  missingGold: Policies['missingGold'],
): JudgedQuery[] {
  // Labels that could not be read may be those of any query.
  const unread = elsewhere.has(undefined) || (labels.length === 0 && diagnostics.any())
  const scored: JudgedQuery[] = []
  let [left, goldless] = [0, 0]
  for (const query of queries.values()) {
    const { id, answerable } = query
    const hasGold = qrels.has(id) || spans.has(id)
    const wrong = (message: string) => diagnostics.add(() => ({ ...locations.query.get(id), message }))
    if (hasGold && !answerable) wrong(`query "${id}" is marked unanswerable and has labels`)
    if (hasGold || !answerable) scored.push(query)
    else if (elsewhere.has(id)) left++
    else if (missingGold === 'count') goldless++
    else if (!unread) {
      diagnostics.hint(COUNT_MISSING)
      wrong(
        `query "${id}" has no label; where no gold can exist, mark it "answerable": false in its metadata`,
      )
    }
  }
  if (queries.size === 0 && labels.length > 0 && !diagnostics.any())
    diagnostics.add(() => ({ file: '.', message: 'there are labels and no query' }))
  if (goldless > 0 && scored.length === 0 && left === 0)
    diagnostics.add(() => ({ file: '.', message: 'no query has a label' }))
  notices.push(
    ...ofAny(
      [goldless, `${goldless} queries without gold are left out`],
      [left, `${left} queries are judged only in another split and left out`],
    ),
  )
  return scored
}
