import { basename, extname, relative, sep } from 'node:path'
import { detectFormat } from '../dataset/detect.ts'
import { kindOfFile } from '../dataset/folder/readers/index.ts'
import { walk } from '../dataset/folder/walk.ts'
import type { Reading } from '../dataset/format.ts'
import { readFolder } from '../dataset/formats/folder.ts'
import { quoteRanges } from '../dataset/gold-places.ts'
import { UserError } from '../errors.ts'
import { addTo } from '../maps.ts'
import { plural } from '../report/numbers.ts'
import { headingsOf, sectionsOf } from '../text/headings.ts'
import { sentences } from '../text/sentences.ts'
import type { Document } from '../types.ts'
import { configText } from './starter.ts'

/** Enough for a verdict. */
export const QUESTIONS = 20
/** Minimum characters of a meaningful quote. */
const SHORTEST = 30
const LONGEST = 220
/** Sentences per section: the first may occur in other files too. */
const CANDIDATES = 5
/** Minimum words in lower case of a statement. */
const FEWEST_WORDS = 5
/** Names of notes about a data set. */
const ABOUT = /^(?:readme|about|licen[cs]e|notice|citation|changelog)\b/i
/** The smallest embedders read 256. */
const SIZE = 200

interface Passage {
  readonly file: string
  readonly quote: string
}

const HEAD = `# An experiment over your own files. First read and complete questions.jsonl: each line
# quotes the answer of a question. Then
#     touchstone check touchstone.yaml
#     touchstone run touchstone.yaml
# and open the HTML report at the printed path. \`touchstone list\` shows all choices.`

/** Files of an experiment over the documents below `from`, by path relative to `folder`. */
export async function folderStarterFiles(
  folder: string,
  from: string,
  reading: Reading,
): Promise<{ readonly files: Readonly<Record<string, string>>; readonly said: readonly string[] }> {
  refuseDataset(folder, from)
  const { documents, problem, notices } = await readFolder(from, reading)
  const questions = questionsToFill(documents)
  if (questions === '')
    throw new UserError(
      problem ??
        'holds no sentence to quote for a question; write a config with `dataset: {folder: {path: FOLDER, questions: FILE}}`, and the questions yourself (docs/datasets.md)',
      from,
    )
  const path = pathFrom(folder, from)
  const dataset = `# A folder of documents, and questions about them. Relative to this file.
dataset: { folder: { path: ${JSON.stringify(path)}, questions: questions.jsonl } }`
  const chunk = `chunk: ${chunkingOf(documents)} # or sentences, {tokens: {size: 128}}`
  return {
    files: {
      'touchstone.yaml': configText(folder, HEAD, { name: experimentName(folder), dataset, chunk }),
      'questions.jsonl': questions,
    },
    said: [`read ${plural(documents.length, 'document')}`, ...notices],
  }
}

function pathFrom(folder: string, from: string): string {
  return relative(folder, from).split(sep).join('/') || '.'
}

/** True for a document that is neither a table nor a note about a data set. */
function hasDocuments(from: string): boolean {
  return walk(from).files.some(({ file }) => {
    const kind = kindOfFile(file)
    return kind !== undefined && kind.data === undefined && !ABOUT.test(basename(file))
  })
}

/** Throws a UserError for tables that `dataset: PATH` reads as a data set. */
function refuseDataset(folder: string, from: string): void {
  let format: string
  try {
    format = detectFormat(from)
  } catch {
    // Read as documents.
    return
  }
  if (format !== 'folder' && !hasDocuments(from))
    throw new UserError(
      `is a data set that Touchstone reads as it is (${format}), not a folder of documents; leave out --from, and write \`dataset: ${pathFrom(folder, from)}\` in the config`,
      from,
    )
}

/** The folder's name, without characters that a name cannot have. */
function experimentName(folder: string): string {
  return (
    basename(folder)
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '') || 'own-files'
  )
}

/**
 * Lines of a questions file: each quotes a sentence that occurs once in all documents, spread evenly over these,
 * and awaits its question.
 */
export function questionsToFill(documents: readonly Pick<Document, 'id' | 'text'>[]): string {
  const byFile = new Map<string, Passage[]>()
  for (const { id, text } of documents) {
    const file = id.replace(/#\d+$/, '')
    byFile.set(file, [...(byFile.get(file) ?? []), ...passagesOf(id, text)])
  }
  const named = [...byFile].filter(([, { length }]) => length > 0)
  const kinds = new Map<string, (readonly Passage[])[]>()
  for (const [file, passages] of named) addTo(kinds, extname(file).toLowerCase(), passages)
  const files = [...kinds.values()].flat()
  const shares = sharesOf(files, QUESTIONS)
  const groups =
    files.length > QUESTIONS
      ? kindShares([...kinds.values()]).flatMap(({ list, share }) =>
          slices(list, share).map((of) => of.flat()),
        )
      : files.flatMap((passages, file) => slices(passages, shares[file]))
  const chosen: Passage[] = []
  const isUnique = ({ file, quote }: Passage) =>
    chosen.every((passage) => passage.quote !== quote) &&
    documents.every(({ id, text }) => quoteRanges(text, quote).length === (id === file ? 1 : 0))
  for (const group of groups) {
    // Those with most facts come first; of equals, the first in the text.
    const best = group.toSorted((a, b) => factsIn(b.quote) - factsIn(a.quote))
    const passage = best.find(isUnique)
    if (passage) chosen.push(passage)
  }
  return chosen.map((gold, i) => `${JSON.stringify({ _id: `q${i + 1}`, text: '', gold: [gold] })}\n`).join('')
}

/** One question at least for each kind, the others in equal shares as far as a kind has files. */
function kindShares<T>(
  kinds: readonly (readonly T[])[],
): { readonly list: readonly T[]; readonly share: number }[] {
  const first = kinds.slice(0, QUESTIONS)
  const total = first.flat().length
  const shares = first.map(({ length }) => Math.max(1, Math.floor((length * QUESTIONS) / total)))
  for (let over = shares.reduce((a, b) => a + b) - QUESTIONS; over !== 0; over -= Math.sign(over)) {
    const open = shares.map((share, at) => (over < 0 && share === first[at].length ? 0 : share))
    shares[open.indexOf(Math.max(...open))] -= Math.sign(over)
  }
  return first.map((list, at) => ({ list, share: shares[at] }))
}

/** Equal numbers for the files, as far as a file has passages. */
function sharesOf(files: readonly (readonly Passage[])[], most: number): number[] {
  const shares = files.map(() => 0)
  const total = Math.min(most, files.flat().length)
  for (let count = 0; count < total; )
    for (const [file, { length }] of files.entries())
      if (shares[file] < length && count < total) {
        shares[file]++
        count++
      }
  return shares
}

function slices<T>(list: readonly T[], count: number): T[][] {
  const at = (part: number) => Math.floor((part * list.length) / count)
  return Array.from({ length: count }, (_, part) => list.slice(at(part), at(part + 1)))
}

/** First sentences of each section that state something; otherwise the first lines of prose. */
function passagesOf(file: string, text: string): Passage[] {
  const sections = sectionsOf(text).flatMap(({ path, start, end }) => {
    const body = path.length > 0 ? text.indexOf('\n', start) : start
    if (body < 0 || body >= end) return []
    const section = text.slice(body, end)
    return [sentences(section).map(({ start, end }) => section.slice(start, end).replace(/\s+/gu, ' '))]
  })
  const passages = (fits: (sentence: string) => boolean) =>
    sections.flatMap((lines) => lines.filter(fits).slice(0, CANDIDATES)).map((quote) => ({ file, quote }))
  const statements = passages((sentence) => isProse(sentence) && isStatement(sentence))
  return statements.length > 0 ? statements : passages(isProse)
}

/** False for tables, lists, code, links and sentences that introduce others. */
function isProse(sentence: string): boolean {
  return (
    sentence.length >= SHORTEST &&
    sentence.length <= LONGEST &&
    /^\p{L}/u.test(sentence) &&
    !/[|{}<>\\]|\]\(|\]\[|[:;*,]$/.test(sentence)
  )
}

/** First words of English sentences that need context or speak of the text itself. */
const LEANING =
  /^(?:it|its|this|that|these|those|they|he|she|here|there|also|and|but|or|so|then|thus|however|instead|otherwise|let|note|see|in this|as mentioned|now|we|you had|please|if so|for (?:a|more|example|instance)|next|since|though|usually|more|in (?:addition|that|other|both)|such|can|some|others?|another|maybe)\b/i

/** Common finite verbs of English. */
const FINITE =
  /\b(?:is|are|was|were|has|have|had|can|cannot|could|must|may|might|will|would|should|does|do|did|(?:\p{Ll}+(?:ed|es|s)) (?:the|an?|its|their|all|each|every|no|one|two|to|in|on|at|from|with|by|when|if|that|only|not))\b/u
const ENGLISH = /\b(?:the|of|and|a|in|to|is)\b/i

/** Words that send the reader to another place. */
const SENDING =
  /\b(?:see|below|above|following|described|explained|summarized|shown|details|chapter|section|licen[cs]e)\b/i

/** Numbers, names and code that a question can ask for; at most 2. */
function factsIn(sentence: string): number {
  return Math.min(
    2,
    (sentence.match(/\p{N}+|(?<=\P{Sentence_Terminal}\s)\p{Lu}[\p{L}\p{N}]+|`[^`]+`/gu) ?? []).length,
  )
}

/** True for a whole sentence with a finite verb and a few plain words. */
function isStatement(sentence: string): boolean {
  return (
    /\p{Sentence_Terminal}["'”’)]*$/u.test(sentence) &&
    !/[?!]$|https?:|^\p{Lu}{3}|^\p{Lu}[\p{Lu}\d_-]*\(/u.test(sentence) &&
    !LEANING.test(sentence) &&
    !SENDING.test(sentence) &&
    (FINITE.test(sentence) || !ENGLISH.test(sentence)) &&
    (sentence.match(/(?<!\p{L})\p{Ll}{2,}/gu) ?? []).length >= FEWEST_WORDS
  )
}

/** At headings, if there are any; every embedder reads such chunks whole. */
function chunkingOf(documents: readonly Document[]): string {
  for (const { text } of documents)
    if (headingsOf(text).length > 0) return `{ headings: { levels: 3, size: ${SIZE} } }`
  return `{ tokens: { size: ${SIZE}, overlap: 32 } }`
}
