import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { hasGoldLists } from '../dataset/folder/questions.ts'
import { quoteRanges } from '../dataset/gold-places.ts'
import { type FrozenLabel, readLabelsFile } from '../dataset/labels-file.ts'
import { UserError } from '../errors.ts'
import { requireQuestion } from '../experiment/ask.ts'
import { lock, whenFree } from '../experiment/lock.ts'
import type { OpenExperiment } from '../experiment/plan/open.ts'
import { sha256 } from '../store/hash.ts'
import { eachJsonLine, readText } from '../store/input.ts'
import { diskError } from '../store/write.ts'
import type { Document } from '../types.ts'
import { processes } from './machine.ts'

export interface QuotedGold {
  readonly document: string
  readonly quote: string
}

interface QuestionFiles {
  readonly questions: string
  /** Labels in place of gold; a question is labelled there too. */
  readonly labels?: string
}

/** Files that get new questions of an experiment's dataset, or the reason why there are none. */
export function questionFilesOf({ experiment }: OpenExperiment): QuestionFiles | string {
  const [{ name, params }] = experiment.datasets
  const { questions, labels } = params
  if (typeof questions !== 'string')
    return `the dataset (${name}) has no file of questions; name one by \`questions\`, as in dataset: {folder: {path: docs, questions: questions.jsonl}}`
  if (!/\.jsonl$/i.test(questions))
    return `questions are added to a JSONL file, and ${basename(questions)} has another ending; convert it, and name it by \`questions\``
  const at = (path: string) => resolve(dirname(experiment.file), path)
  if (!hasGoldLists(at(questions)) && readText(at(questions), 'questions').trim() !== '')
    return `questions are added with a list of gold, and ${basename(questions)} has one piece of gold per line; write its lines as {"_id", "text", "gold": [{"file", "quote"}]}`
  return { questions: at(questions), ...(typeof labels === 'string' && { labels: at(labels) }) }
}

/**
 * Appends a question with its gold to the questions file, and to the labels file if there is one: to both or to
 * none. Returns the id, which depends on the text. Throws a UserError for a known question, a quote that is not in
 * its document, and files that are wrong or cannot be written.
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
  const pieces = await placesOf(open, gold)
  const folder = dirname(realpathSync(files.questions))
  try {
    const release = await whenFree(folder, processes, () => lock(folder, processes))
    try {
      return addLines(files, text, pieces)
    } finally {
      release()
    }
  } catch (error) {
    throw diskError(error) ?? error
  }
}

/** Checks and appends. No other process appends meanwhile: the folder of the questions is locked. */
function addLines(files: QuestionFiles, text: string, pieces: Awaited<ReturnType<typeof placesOf>>): string {
  if (files.labels) readLabelsFile(files.labels)
  const id = `asked-${sha256(text).slice(0, 8)}`
  eachJsonLine(files.questions, readText(files.questions, 'questions'), (value, wrong) => {
    const { _id, text: other } = (value ?? {}) as { readonly _id?: unknown; readonly text?: unknown }
    if (other === text || _id === id) wrong(`has this question already (${_id}); change its gold there`)
  })
  const line = { _id: id, text, gold: pieces.map(({ document, quote }) => ({ file: document, quote })) }
  const labels = pieces.flatMap(({ places }) =>
    places.map((place): FrozenLabel => ({ query: id, question: text, ...place, grade: 3 })),
  )
  append([
    { file: files.questions, values: [line] },
    ...(files.labels ? [{ file: files.labels, values: labels }] : []),
  ])
  return id
}

/** Gold without repeats, with every place of its quote. Throws a UserError for each quote without one. */
async function placesOf({ recipes, store }: OpenExperiment, gold: readonly QuotedGold[]) {
  await store.prepare(recipes[0].documents)
  const documents = new Map<string, Document>()
  for (const document of await store.open(recipes[0].documents)) documents.set(document.id, document)
  const pieces = gold.map(({ document, quote }) => {
    const text = documents.get(document)?.text ?? ''
    const places = quoteRanges(text, quote).map((range) => ({
      document,
      chunk: '',
      ...range,
      text: sha256(text.slice(range.start, range.end)),
    }))
    return { document, quote, places }
  })
  const missing = pieces.filter(({ places }) => places.length === 0)
  if (missing.length > 0)
    throw new UserError(
      missing.map(({ document, quote }) => ({
        message: `${document} does not hold "${quote.slice(0, 80)}"; the document has changed: start touchstone view again`,
      })),
    )
  return [...new Map(pieces.map((piece) => [JSON.stringify(piece.places), piece])).values()]
}

/**
 * Appends to JSONL files, with one write each, so that lines of several processes do not mix. If a write fails, all
 * files get their former length.
 */
function append(additions: readonly { readonly file: string; readonly values: readonly object[] }[]): void {
  const opened: { readonly descriptor: number; readonly size: number }[] = []
  try {
    const texts = additions.map(({ file, values }) => {
      const start = /[^\n]$/.test(readText(file)) ? '\n' : ''
      const descriptor = openSync(
        realpathSync(file),
        constants.O_APPEND | constants.O_WRONLY | constants.O_NOFOLLOW,
      )
      opened.push({ descriptor, size: fstatSync(descriptor).size })
      return `${start}${values.map((value) => `${JSON.stringify(value)}\n`).join('')}`
    })
    try {
      for (const [at, { descriptor }] of opened.entries()) {
        writeFileSync(descriptor, texts[at])
        fsyncSync(descriptor)
      }
    } catch (error) {
      for (const { descriptor, size } of opened) ftruncateSync(descriptor, size)
      throw error
    }
  } finally {
    for (const { descriptor } of opened) closeSync(descriptor)
  }
}
