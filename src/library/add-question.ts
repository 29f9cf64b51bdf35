import { closeSync, constants, fsyncSync, openSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { quoteRanges } from '../dataset/gold-places.ts'
import { type FrozenLabel, readLabelsFile } from '../dataset/labels-file.ts'
import { UserError } from '../errors.ts'
import { requireQuestion } from '../experiment/ask.ts'
import type { OpenExperiment } from '../experiment/plan/open.ts'
import { sha256 } from '../store/hash.ts'
import { readText } from '../store/input.ts'
import { eachJsonLine } from '../store/json-lines.ts'
import type { Document } from '../types.ts'

/** Passage that answers a new question: a quote of a document. */
export interface QuotedGold {
  readonly document: string
  readonly quote: string
}

interface QuestionFiles {
  readonly questions: string
  /** File of labels that stand in place of the gold; such a question is labelled there too. */
  readonly labels?: string
}

/** Files to which questions of an experiment's dataset are added; a text says why there are none. */
export function questionFilesOf({ experiment }: OpenExperiment): QuestionFiles | string {
  const [{ name, params }] = experiment.datasets
  const { questions, labels } = params
  if (typeof questions !== 'string')
    return `the dataset (${name}) has no file of questions; name one by \`questions\`, as in dataset: {folder: {path: docs, questions: questions.jsonl}}`
  if (!/\.jsonl$/i.test(questions))
    return `questions are added to a JSONL file, and ${questions} has another ending; convert it, and name it by \`questions\``
  const at = (path: string) => resolve(dirname(experiment.file), path)
  return { questions: at(questions), ...(typeof labels === 'string' && { labels: at(labels) }) }
}

/**
 * Appends a question with its gold to the questions file, and to the labels file if the dataset has one. Returns the question's id,
 * which depends on its text. Throws a UserError for a question that the file has, for a quote that is not in its document, and
 * for a file with a wrong line, as while somebody edits it.
 */
export async function addQuestion(
  open: OpenExperiment,
  text: string,
  gold: readonly QuotedGold[],
): Promise<string> {
  requireQuestion(text)
  if (gold.length === 0) throw new UserError('mark at least one passage that answers the question')
  const files = questionFilesOf(open)
  if (typeof files === 'string') throw new UserError(files)
  const places = await placesOf(open, gold)
  const known = readText(files.questions, 'questions')
  if (files.labels) readLabelsFile(files.labels)
  const id = `asked-${sha256(text).slice(0, 8)}`
  eachJsonLine(files.questions, known, (value, wrong) => {
    const { _id, text: other } = (value ?? {}) as { readonly _id?: unknown; readonly text?: unknown }
    if (other === text || _id === id) wrong(`has this question already (${_id}); change its gold there`)
  })
  const line = { _id: id, text, gold: gold.map(({ document, quote }) => ({ file: document, quote })) }
  append(files.questions, known, [JSON.stringify(line)])
  if (files.labels) {
    const labels = places.map((place): FrozenLabel => ({ query: id, question: text, ...place, grade: 3 }))
    append(
      files.labels,
      readText(files.labels, 'labels'),
      labels.map((label) => JSON.stringify(label)),
    )
  }
  return id
}

/** First place of each quote in its document. Throws a UserError for each quote without one. */
async function placesOf({ recipes, store }: OpenExperiment, gold: readonly QuotedGold[]) {
  await store.prepare(recipes[0].documents)
  const documents = new Map<string, Document>()
  for (const document of await store.open(recipes[0].documents)) documents.set(document.id, document)
  const places = gold.map(({ document, quote }) => {
    const text = documents.get(document)?.text ?? ''
    const [range] = quoteRanges(text, quote)
    return range && { document, chunk: '', ...range, text: sha256(text.slice(range.start, range.end)) }
  })
  const missing = gold.filter((_, at) => !places[at])
  if (missing.length > 0)
    throw new UserError(
      missing.map(({ document, quote }) => ({
        message: `${document} does not hold "${quote.slice(0, 80)}"; the document has changed: start touchstone view again`,
      })),
    )
  return places
}

/** Appends lines in one write, so that two processes which append do not mix theirs. */
function append(file: string, known: string, lines: readonly string[]): void {
  const descriptor = openSync(file, constants.O_APPEND | constants.O_WRONLY | constants.O_NOFOLLOW)
  try {
    const start = known === '' || known.endsWith('\n') ? '' : '\n'
    writeSync(descriptor, `${start}${lines.map((line) => `${line}\n`).join('')}`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
