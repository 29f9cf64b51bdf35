import { join, relative, sep } from 'node:path'
import { textFilesBelow } from '../dataset/formats/markdown.ts'
import { goldRange } from '../dataset/gold-places.ts'
import { UserError } from '../errors.ts'
import { readText } from '../store/input.ts'
import { headingsOf, sectionsOf } from '../text/headings.ts'
import { sentences } from '../text/sentences.ts'
import { configText } from './starter-config.ts'

/** Number of lines of a questions file without a question; enough for a verdict. */
const QUESTIONS = 20
/** Minimum characters of a meaningful quote. */
const SHORTEST = 30
const LONGEST = 300

/** Source of a question: one sentence of a file. */
interface Passage {
  readonly file: string
  readonly quote: string
}

const HEAD = `# An experiment over files of your own. Fill in the questions of questions.jsonl first (each line quotes the answer),
# then
#     touchstone check touchstone.yaml
#     touchstone run touchstone.yaml
# and read the HTML report that it names. \`touchstone list\` shows all choices.`

/** Files that `touchstone init --from` writes into `folder`, by relative path: an experiment over the texts below `from`. */
export function folderStarterFiles(folder: string, from: string): Readonly<Record<string, string>> {
  const texts = new Map(textFilesBelow(from).map((file) => [file, readText(join(from, file))]))
  const questions = questionsToFill(texts)
  if (questions === '')
    throw new UserError({
      file: from,
      message: 'holds no .md or .txt file with a sentence that a question could ask for',
    })
  const path = relative(folder, from).split(sep).join('/') || '.'
  const dataset = `# A folder of .md and .txt files, and questions about them. Relative to this file.
dataset: { markdown: { path: ${JSON.stringify(path)}, questions: questions.jsonl } }`
  const chunk = `chunk: ${chunkingOf(texts.values())} # or sentences, headings, {tokens: {size: 128}}`
  return {
    'touchstone.yaml': configText(folder, HEAD, { name: 'own-files', dataset, chunk }),
    'questions.jsonl': questions,
  }
}

/**
 * Lines of a questions file over the user's texts: each quotes a sentence that occurs once, spread evenly over the files, and
 * awaits its question. Empty if no text has such a sentence.
 */
export function questionsToFill(texts: ReadonlyMap<string, string>): string {
  const passages = [...texts].flatMap(([file, text]) => passagesOf(file, text))
  const count = Math.min(QUESTIONS, passages.length)
  const chosen = Array.from({ length: count }, (_, i) => passages[Math.floor((i * passages.length) / count)])
  return chosen.map((gold, i) => `${JSON.stringify({ _id: `q${i + 1}`, text: '', gold: [gold] })}\n`).join('')
}

/** First fitting sentence of each section. */
function passagesOf(file: string, text: string): Passage[] {
  const sections = sectionsOf(text)
  const occursOnce = (quote: string) => typeof goldRange(text, { quote }, sections) !== 'string'
  return sections.flatMap(({ path, start, end }) => {
    const body = path.length > 0 ? text.indexOf('\n', start) : start
    if (body < 0 || body >= end) return []
    const section = text.slice(body, end)
    const quote = sentences(section)
      .map((sentence) => section.slice(sentence.start, sentence.end).replace(/\s+/gu, ' '))
      .find((one) => isProse(one) && occursOnce(one))
    return quote === undefined ? [] : [{ file, quote }]
  })
}

/** False for tables, lists, code and lines of links. */
function isProse(sentence: string): boolean {
  return (
    sentence.length >= SHORTEST &&
    sentence.length <= LONGEST &&
    /^\p{L}/u.test(sentence) &&
    !/[|`{}<>]/.test(sentence)
  )
}

/** Chunking for these texts: at headings if there are any. */
function chunkingOf(texts: Iterable<string>): string {
  for (const text of texts) if (headingsOf(text).length > 0) return '{ headings: { levels: 3 } }'
  return '{ tokens: { size: 256, overlap: 32 } }'
}
