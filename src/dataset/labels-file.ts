import { z } from 'zod'
import { UserError } from '../errors.ts'
import { sha256 } from '../store/hash.ts'
import { readHeadedLines, readText } from '../store/input.ts'
import { barrenQueries } from './check-gold.ts'
import { compareSpans } from './collapse.ts'
import { hashDataset } from './hash.ts'
import { ofAny } from './sink.ts'
import type { Dataset, GoldSpan } from './types.ts'

/**
 * Frozen labels of a pool: written by `touchstone labels export --to labels`, read by `labels: FILE` of a dataset. A header line,
 * then a label a line.
 */
const headerSchema = z.strictObject({
  touchstone: z.literal('labels'),
  format: z.literal(1),
  experiment: z.string(),
  result: z.string(),
  k: z.int().min(1),
  trials: z.array(z.string()),
  /** Lowest grade that is relevant; it becomes grade 1. */
  relevant: z.int().min(1).max(3),
  labellers: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.enum(['person', 'model']),
      labels: z.int().min(0),
      kappa: z.tuple([z.number(), z.number(), z.number()]).nullable(),
    }),
  ),
  /** Fleiss' kappa of the people on relevance, with its interval; null with fewer than two. */
  kappa: z.tuple([z.number(), z.number(), z.number()]).nullable(),
  /** Pairs on which labellers disagree and nobody decided; they have no label here. */
  conflicts: z.int().min(0),
  pooled: z.int().min(0),
  /** The labels correct the dataset's gold: labels of other questions and passages stay. */
  corrects: z.literal(true).optional(),
})
const labelSchema = z.strictObject({
  query: z.string().min(1),
  question: z.string(),
  document: z.string().min(1),
  chunk: z.string(),
  start: z.int().min(0),
  end: z.int().min(0),
  /** SHA-256 of the passage as it was labelled. */
  text: z.string().regex(/^[0-9a-f]{64}$/),
  grade: z.int().min(0).max(3),
})

export type LabelsHeader = z.output<typeof headerSchema>
export type FrozenLabel = z.output<typeof labelSchema>
export interface FrozenLabels {
  readonly header: LabelsHeader
  readonly labels: readonly FrozenLabel[]
}

export function labelsLines({ header, labels }: FrozenLabels): string {
  return [header, ...labels].map((line) => `${JSON.stringify(line)}\n`).join('')
}

export function readLabelsFile(file: string): FrozenLabels {
  const { header, items } = readHeadedLines(file, readText(file, 'labels'), headerSchema, labelSchema)
  if (!header) throw new UserError('holds no labels', file)
  const lines = new Map<string, number>()
  const repeated = items.flatMap(({ value, line }) => {
    const key = JSON.stringify([placeOf(value), value.text])
    const first = lines.get(key)
    lines.set(key, line)
    return first === undefined ? [] : [{ file, line, message: `labels the passage of line ${first} again` }]
  })
  if (repeated.length > 0) throw new UserError(repeated)
  return { header, labels: items.map(({ value }) => value) }
}

/** Labels whose passage or question is no longer as it was when it was labelled. */
interface Drift {
  moved: number
  changed: string[]
  gone: string[]
  questions: Set<string>
}

/**
 * A dataset with pooled labels in place of its gold, or as corrections of it. Questions without a label are left out. So are labels
 * whose passage or question has changed, counted in a notice; a passage that only moved is found by its text.
 */
export function withLabels(dataset: Dataset, { header, labels }: FrozenLabels, file: string): Dataset {
  const queries = new Map(dataset.queries.map((query) => [query.id, query]))
  const texts = new Map(dataset.documents.map(({ id, text }) => [id, text]))
  const drift: Drift = { moved: 0, changed: [], gone: [], questions: new Set() }
  const spans = new Map<string, GoldSpan[]>()
  const qrels = new Map<string, Map<string, number>>()
  const inPlace = labels.filter((label) => isInPlace(label, texts))
  const current = new Set(inPlace.map(placeOf))
  const chunks = new Set(inPlace.map(chunkOf))
  for (const label of labels) {
    if (queries.get(label.query)?.text !== label.question) {
      drift.questions.add(label.query)
      continue
    }
    const range = rangeOf(label, texts)
    if (!range) {
      // A place whose text was edited and labelled again has a label.
      if (!texts.has(label.document)) drift.gone.push(label.document)
      else if (!current.has(placeOf(label))) drift.changed.push(label.document)
      continue
    }
    const isMoved = range.start !== label.start
    if (isMoved) drift.moved++
    const grade = Math.max(0, label.grade - header.relevant + 1)
    if (dataset.judgedUnit === 'span') {
      const labelled = spans.get(label.query) ?? []
      if (labelled.every((span) => compareSpans(span, range) !== 0)) labelled.push({ ...range, grade })
      spans.set(label.query, labelled)
    } else {
      // The id of a chunk stays at its place when the text moves: the label of the text that is there counts.
      if (dataset.judgedUnit === 'chunk' && isMoved && chunks.has(chunkOf(label))) continue
      const unit = dataset.judgedUnit === 'document' ? label.document : label.chunk
      const grades = qrels.get(label.query) ?? new Map<string, number>()
      qrels.set(label.query, grades.set(unit, Math.max(grade, grades.get(unit) ?? 0)))
    }
  }
  const touched = new Set([...spans.keys(), ...qrels.keys()])
  if (header.corrects) {
    for (const [query, list] of dataset.spans) spans.set(query, correctedSpans(list, spans.get(query) ?? []))
    for (const [query, grades] of dataset.qrels)
      qrels.set(query, new Map([...grades, ...(qrels.get(query) ?? [])]))
  }
  for (const list of spans.values()) list.sort(compareSpans)
  const isLabelled = (id: string) => spans.has(id) || qrels.has(id)
  const judged = dataset.queries.filter(({ id, answerable }) => !answerable || isLabelled(id))
  if (judged.every(({ id }) => !isLabelled(id)))
    throw new UserError(
      `no label fits this dataset: ${driftInWords(drift).join('; ') || 'it holds none'}`,
      file,
    )
  const groups = new Map([...dataset.groups].filter(([query]) => header.corrects && !touched.has(query)))
  const gold = { qrels, spans, groups, judgedUnit: dataset.judgedUnit }
  const labelled = judged.filter(({ id }) => isLabelled(id)).length
  return {
    ...dataset,
    ...gold,
    queries: judged,
    missingGold: header.corrects ? dataset.missingGold : 0,
    hash: hashDataset(dataset.documentsHash, judged, gold),
    notices: [
      ...dataset.notices.filter((notice) => !barrenQueries(dataset).includes(notice)),
      ...barrenQueries({ ...gold, queries: judged }),
      labelsInWords(header, labelled, dataset.queries.length),
      ...driftInWords(drift),
    ],
  }
}

/**
 * Gold spans after labels of passages. A span goes with a passage that is not relevant, unless a relevant one holds it too. A
 * relevant passage without a span is gold itself.
 */
function correctedSpans(spans: readonly GoldSpan[], passages: readonly GoldSpan[]): GoldSpan[] {
  const relevant = passages.filter(({ grade }) => (grade ?? 1) > 0)
  const rejected = passages.filter(({ grade }) => grade === 0)
  const isIn = (span: GoldSpan, list: readonly GoldSpan[]) => list.some((passage) => isWithin(span, passage))
  const accepted = spans.filter((span) => isIn(span, relevant) || !isIn(span, rejected))
  return [
    ...accepted,
    ...relevant.filter((passage) => !accepted.some((span) => isWithin(span, passage))),
    ...rejected,
  ]
}

const isWithin = ({ documentId, start, end }: GoldSpan, range: GoldSpan) =>
  documentId === range.documentId && start >= range.start && end <= range.end

const placeOf = ({ query, document, start, end }: FrozenLabel) =>
  JSON.stringify([query, document, start, end])

const chunkOf = ({ query, chunk }: FrozenLabel) => JSON.stringify([query, chunk])

function isInPlace({ document, start, end, text }: FrozenLabel, texts: ReadonlyMap<string, string>): boolean {
  const now = texts.get(document)
  return now !== undefined && sha256(now.slice(start, end)) === text
}

/** Place of a label's passage in its document now; undefined if it is changed or gone. */
function rangeOf(label: FrozenLabel, texts: ReadonlyMap<string, string>): GoldSpan | undefined {
  const { document: documentId, start, end } = label
  if (isInPlace(label, texts)) return { documentId, start, end }
  const length = end - start
  // A passage begins at a line or sentence: only places after white space are tried.
  const starts = [...(texts.get(documentId) ?? '').matchAll(/(?<=^|\s)\S/g)].map(({ index }) => index)
  const moved = starts.find((at) => isInPlace({ ...label, start: at, end: at + length }, texts))
  return moved === undefined ? undefined : { documentId, start: moved, end: moved + length }
}

function driftInWords({ moved, changed, gone, questions }: Drift): string[] {
  const named = (ids: Iterable<string>) => {
    const all = [...new Set(ids)]
    return `${all.slice(0, 3).join(', ')}${all.length > 3 ? ` and ${all.length - 3} more` : ''}`
  }
  const labels = (count: number) => `${count} label${count === 1 ? '' : 's'}`
  return ofAny(
    [moved, `${labels(moved)} of passages that moved inside their document, found by their text`],
    [
      changed.length,
      `${labels(changed.length)} left out, the passage has changed since it was labelled: ${named(changed)}`,
    ],
    [gone.length, `${labels(gone.length)} left out, the document is gone: ${named(gone)}`],
    [
      questions.size,
      `labels of ${questions.size} questions left out, which are gone or have other words now: ${named(questions)}`,
    ],
  )
}

function labelsInWords(
  { experiment, k, trials, labellers, kappa, conflicts, corrects }: LabelsHeader,
  queries: number,
  of: number,
): string {
  const interval = ([value, low, high]: readonly [number, number, number]) =>
    `${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`
  const who = labellers.map(({ name, kind, labels: count, kappa: agreement }) =>
    kind === 'person'
      ? `${name} (${count})`
      : `the model ${name} (${count}; Cohen's kappa with people ${agreement ? interval(agreement) : 'unknown'})`,
  )
  return [
    `labels are pooled from the first ${k} of ${trials.join(', ')} in ${experiment}, by ${who.join(', ')}`,
    corrects
      ? 'they correct the gold of the questions that they name'
      : `${queries} of ${of} questions have labels`,
    ...(kappa ? [`Fleiss' kappa of the people ${interval(kappa)}`] : []),
    ...(conflicts > 0 ? [`${conflicts} passages without a label, since labellers disagree`] : []),
  ].join('; ')
}
