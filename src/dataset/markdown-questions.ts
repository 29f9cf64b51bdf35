import { basename, dirname } from 'node:path'
import { type HeadingSection, sectionsOf } from '../text/headings.ts'
import { kindOf } from '../text/ids.ts'
import { didYouMean } from '../text/nearest.ts'
import { type GoldPlace, goldRange } from './gold-places.ts'
import { eachFileLine } from './lines.ts'
import { isRecord, parseRecord, queryOf } from './records.ts'
import type { DatasetSink } from './sink.ts'

/** One piece of gold as a question's line names it. */
export interface WrittenGold extends GoldPlace {
  /** Below the folder of the corpus. */
  readonly file: string
  /** Pieces of one question with the same group are alternatives: one of them is enough. */
  readonly group?: string
}

/**
 * Questions over a folder of Markdown files, one JSON object a line, as in BEIR with gold beside it:
 *
 *     {"_id", "text", "metadata": {"category", "answers", "answerable"},
 *      "gold": [{"file", "headings": [...], "quote", "group"}]}
 *
 * Gold names a file and headings, a quote, or both; it becomes spans of characters, which hold for every chunking. Other
 * fields are left alone. `texts` holds the text of each file of the corpus.
 */
export async function readMarkdownQuestions(
  path: string,
  texts: ReadonlyMap<string, string>,
  sink: DatasetSink,
): Promise<void> {
  const found = new Map<string, readonly HeadingSection[]>()
  const sections = (file: string, text: string) => {
    const known = found.get(file) ?? sectionsOf(text)
    found.set(file, known)
    return known
  }
  const lines = await eachFileLine(dirname(path), basename(path), atPath(path, sink), (line, number) => {
    const location = { file: path, line: number }
    const fields = parseRecord(line, location, sink)
    const query = fields && queryOf(fields, { id: '_id' }, location, sink)
    if (!fields || !query) return
    sink.query(query, location)
    const wrong = (message: string) => {
      sink.diagnostic({ ...location, message })
      // That it then has no gold goes without saying.
      sink.elsewhere(query.id)
    }
    for (const gold of goldOf(fields.gold ?? [], wrong)) {
      const text = texts.get(gold.file)
      const range = text === undefined ? undefined : goldRange(text, gold, sections(gold.file, text))
      const lacks = (message: string) =>
        sink.missing(query.id, { name: nameOf(gold), message, group: gold.group }, location)
      if (range === undefined)
        lacks(
          `gold names the file "${gold.file}", which the folder does not hold${didYouMean(gold.file, texts.keys())}`,
        )
      else if (typeof range === 'string') lacks(`gold of query "${query.id}": ${gold.file} ${range}`)
      else sink.span(query.id, { documentId: gold.file, ...range }, location, gold.group)
    }
  })
  if (lines === 0) sink.diagnostic({ file: path, message: 'holds no question: the file is empty' })
}

function nameOf({ file, headings = [], quote }: WrittenGold): string {
  return [file, ...headings, ...(quote === undefined ? [] : [quote])].join(' > ')
}

/** Mistakes of reading lines name the file as it was named to us, not below the folder of the corpus. */
function atPath(path: string, sink: DatasetSink): DatasetSink {
  return { ...sink, diagnostic: (diagnostic) => sink.diagnostic({ ...diagnostic, file: path }) }
}

function goldOf(value: unknown, wrong: (message: string) => void): WrittenGold[] {
  if (!Array.isArray(value)) {
    wrong(`"gold" must be a list, not ${kindOf(value)}`)
    return []
  }
  return value.flatMap((item: unknown): WrittenGold[] => {
    if (!isRecord(item)) wrong(`a piece of gold must be an object, not ${kindOf(item)}`)
    else {
      const { file, headings, quote, group } = item
      if (!isText(file)) wrong('a piece of gold has no "file"')
      else if (headings !== undefined && !isTexts(headings)) wrong('"headings" must be a list of strings')
      else if (quote !== undefined && !isText(quote)) wrong('"quote" must be a text that is not empty')
      else if (group !== undefined && !isText(group)) wrong('"group" must be a text that is not empty')
      else if (headings === undefined && quote === undefined)
        wrong(`gold in "${file}" needs "headings", a "quote" or both`)
      else
        return [
          {
            file,
            ...(headings === undefined ? {} : { headings }),
            ...(quote === undefined ? {} : { quote }),
            ...(group === undefined ? {} : { group }),
          },
        ]
    }
    return []
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
}
