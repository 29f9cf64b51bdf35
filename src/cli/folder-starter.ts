import { basename, relative, sep } from 'node:path'
import { kindOfFile } from '../dataset/folder/readers/index.ts'
import { walk } from '../dataset/folder/walk.ts'
import type { Reading } from '../dataset/format.ts'
import { readFolder } from '../dataset/formats/folder.ts'
import { quoteRanges } from '../dataset/gold-places.ts'
import { detectFormat } from '../dataset/load.ts'
import { UserError } from '../errors.ts'
import { plural } from '../report/numbers.ts'
import { headingsOf, sectionsOf } from '../text/headings.ts'
import { sentences } from '../text/sentences.ts'
import type { Document } from '../types.ts'
import { configText } from './starter-config.ts'

/** Number of lines of a questions file without a question; enough for a verdict. */
const QUESTIONS = 20
/** Minimum characters of a meaningful quote. */
const SHORTEST = 30
const LONGEST = 300
/** Names of notes about a data set. */
const ABOUT = /^(?:readme|about|licen[cs]e|notice|citation|changelog)\b/i
/** Tokens of a chunk: below the 256 that the smallest embedders read. */
const SIZE = 200

/** Source of a question: one sentence of a file. */
interface Passage {
  readonly file: string
  readonly quote: string
}

const HEAD = `# An experiment over your own files. Fill in the questions of questions.jsonl first (each line quotes the answer),
# then
#     touchstone check touchstone.yaml
#     touchstone run touchstone.yaml
# and open the HTML report at the printed path. \`touchstone list\` shows all choices.`

/** Files that `touchstone init --from` writes into `folder`, by relative path: an experiment over the documents below `from`. */
export async function folderStarterFiles(
  folder: string,
  from: string,
  reading: Reading,
): Promise<{ readonly files: Readonly<Record<string, string>>; readonly said: readonly string[] }> {
  refuseDataset(folder, from)
  const { documents, problem, notices } = await readFolder(from, reading)
  const questions = questionsToFill(documents)
  if (questions === '')
    throw new UserError({
      file: from,
      message: problem ?? 'holds no document with a sentence that a question could ask for',
    })
  const path = pathFrom(folder, from)
  const dataset = `# A folder of documents, and questions about them. Relative to this file.
dataset: { folder: ${JSON.stringify(path)}, questions: questions.jsonl }`
  const chunk = `chunk: ${chunkingOf(documents)} # or sentences, {tokens: {size: 128}}`
  return {
    files: {
      'touchstone.yaml': configText(folder, HEAD, { name: experimentName(folder), dataset, chunk }),
      'questions.jsonl': questions,
    },
    said: [`read ${plural(documents.length, 'document')}`, ...notices],
  }
}

/** Path of a config in `folder` to the documents. */
function pathFrom(folder: string, from: string): string {
  return relative(folder, from).split(sep).join('/') || '.'
}

/** True for a folder with a document that is neither a table nor a note about a data set. */
function hasDocuments(from: string): boolean {
  return walk(from).files.some(({ file }) => {
    const kind = kindOfFile(file)
    return kind !== undefined && kind.data === undefined && !ABOUT.test(basename(file))
  })
}

/** Throws a UserError for a folder of tables alone that `dataset: PATH` reads as a data set. */
function refuseDataset(folder: string, from: string): void {
  let format: string
  try {
    format = detectFormat(from)
  } catch {
    // Nothing fits, or several do: read as documents.
    return
  }
  if (format !== 'folder' && !hasDocuments(from))
    throw new UserError({
      file: from,
      message: `is a data set that Touchstone reads as it is (${format}), not a folder of documents; leave out --from, and write \`dataset: ${pathFrom(folder, from)}\` in the config`,
    })
}

/** Name of the experiment in `folder`: that of the folder, as far as a name may have its characters. */
function experimentName(folder: string): string {
  return (
    basename(folder)
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '') || 'own-files'
  )
}

/**
 * Lines of a questions file over the user's documents: each quotes a sentence that occurs once in all of them, spread evenly
 * over the documents, and awaits its question. Empty if there is no such sentence.
 */
export function questionsToFill(documents: readonly Pick<Document, 'id' | 'text'>[]): string {
  const ofDocument = documents.map(({ id, text }) => passagesOf(id, text)).filter(({ length }) => length > 0)
  // A long document has many sections, and no more questions than others.
  const groups = ofDocument.length < QUESTIONS ? ofDocument.flat().map((passage) => [passage]) : ofDocument
  const chosen: Passage[] = []
  const isUnique = ({ file, quote }: Passage) =>
    chosen.every((one) => one.quote !== quote) &&
    documents.every(({ id, text }) => quoteRanges(text, quote).length === (id === file ? 1 : 0))
  const count = Math.min(QUESTIONS, groups.length)
  for (let i = 0; i < count; i++) {
    const [from, to] = [i, i + 1].map((at) => Math.floor((at * groups.length) / count))
    const passage = groups.slice(from, to).flat().find(isUnique)
    if (passage) chosen.push(passage)
  }
  return chosen.map((gold, i) => `${JSON.stringify({ _id: `q${i + 1}`, text: '', gold: [gold] })}\n`).join('')
}

/** First fitting sentence of each section. */
function passagesOf(file: string, text: string): Passage[] {
  return sectionsOf(text).flatMap(({ path, start, end }) => {
    const body = path.length > 0 ? text.indexOf('\n', start) : start
    if (body < 0 || body >= end) return []
    const section = text.slice(body, end)
    const quote = sentences(section)
      .map((sentence) => section.slice(sentence.start, sentence.end).replace(/\s+/gu, ' '))
      .find(isProse)
    return quote === undefined ? [] : [{ file, quote }]
  })
}

/** False for tables, lists, code, lines of links and sentences that introduce what follows. */
function isProse(sentence: string): boolean {
  return (
    sentence.length >= SHORTEST &&
    sentence.length <= LONGEST &&
    /^\p{L}/u.test(sentence) &&
    !/[|`{}<>\\]|[:;*,]$/.test(sentence)
  )
}

/** Chunking for these documents, of a size that every embedder reads whole: at headings if there are any. */
function chunkingOf(documents: readonly Document[]): string {
  for (const { text } of documents)
    if (headingsOf(text).length > 0) return `{ headings: { levels: 3, size: ${SIZE} } }`
  return `{ tokens: { size: ${SIZE}, overlap: 32 } }`
}
