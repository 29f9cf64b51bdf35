import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { addTo, oncePer } from '../../maps.ts'
import { isBlank } from '../../text/characters.ts'
import { type HeadingSection, sectionsOf } from '../../text/headings.ts'
import { didYouMean } from '../../text/nearest.ts'
import { sentences } from '../../text/sentences.ts'
import type { Document } from '../../types.ts'
import { valuesByRole } from '../columns.ts'
import { goldRanges, quoteRanges, type TextRange, type WrittenGold } from '../gold-places.ts'
import { questionOf } from '../mappers.ts'
import { eachRecord } from '../records.ts'
import { attempt, parsed, querySchema } from '../schema.ts'
import type { DataLocation, DatasetSink } from '../sink.ts'
import { openSource } from '../source.ts'
import { questionsOfRows, type TableRow } from './question-table.ts'

const goldText = z.string().refine((text) => text.trim() !== '', 'must be a text that is not empty')
const goldSchema: z.ZodType<WrittenGold> = z
  .strictObject({
    file: goldText.optional(),
    headings: z.array(z.string()).min(1).optional(),
    page: z.int().min(1).optional(),
    quote: goldText.optional(),
    group: goldText.optional(),
  })
  .refine(({ file, quote }) => file !== undefined || quote !== undefined, 'needs a `file`, a `quote` or both')
const GOLD_KEYS = ['file', 'headings', 'page', 'quote', 'group']
const goldList = z.object({ gold: z.array(goldSchema).default([]) })

const FORM = { id: '_id', text: 'text', metadata: 'metadata' }
const LINE_KEYS = [...Object.values(FORM), 'gold']

/**
 * Questions over documents. As JSONL one object a line, as in BEIR, with gold in the same line:
 *
 *     {"_id", "text", "metadata": {"category", "answers", "answerable"},
 *      "gold": [{"file", "headings": [...], "page", "quote", "group"}]}
 *
 * As CSV, TSV or XLSX one piece of gold a row, in the columns question, and some of id, file, heading, page, quote, answer,
 * category, group, answerable; as JSON or JSONL records with these keys. Gold becomes spans of characters, which hold for every
 * chunking. Every place of a quote is an alternative. Lines with gold and a blank text wait for their question and are left out.
 */
export async function readQuestions(
  path: string,
  documents: readonly Document[],
  sink: DatasetSink,
): Promise<void> {
  const { placeOf, nearOf } = createPlaces(documents)
  let questions = 0
  let unfilled = 0
  const take = (record: object, gold: readonly WrittenGold[], location: DataLocation) =>
    attempt(location, sink, () => {
      questions++
      const query = parsed(querySchema, record, FORM)
      sink.query(query, location)
      for (const [number, piece] of gold.entries()) {
        const ranges = placeOf(piece)
        if (typeof ranges === 'string') {
          const message = ranges.startsWith('gold names') ? ranges : `gold of query "${query.id}": ${ranges}`
          const near = () => nearOf(piece)
          sink.missing(query.id, { name: nameOf(piece), message, near, group: piece.group }, location)
          continue
        }
        const group = piece.group ?? (ranges.length > 1 ? `gold ${number + 1}` : undefined)
        for (const range of ranges) sink.span(query.id, range, location, group)
      }
    })
  const rows: TableRow[] = []
  const isOwn = hasGoldLists(path)
  const records = await eachRecord('', path, sink, (fields, location) => {
    if (!isOwn) return void rows.push({ fields, location })
    attempt(location, sink, () => {
      if (typeof fields.text === 'string' && isBlank(fields.text) && fields.gold !== undefined)
        return void unfilled++
      const { gold } = parsed(goldList, fields.gold === undefined ? {} : { gold: fields.gold }, {}, GOLD_KEYS)
      const unread = Object.keys(fields).filter((key) => !LINE_KEYS.includes(key))
      if (fields.text === undefined && unread.length > 0)
        throw new UserError(`lacks \`text\`, the question, and has the unknown \`${unread.join('`, `')}\``)
      take(questionOf(valuesByRole(fields, { names: FORM })), gold, location)
    })
  })
  const tableQuestions = rows.length > 0 ? questionsOfRows(path, rows, sink) : []
  for (const { record, gold, location } of tableQuestions ?? []) take(record, gold, location)
  if (unfilled > 0 && questions === 0)
    sink.diagnostic({
      file: path,
      message:
        'none of its lines has a question yet; write the question that a quote answers as its line\'s "text", or draft questions: touchstone questions draft CONFIG',
    })
  else if (unfilled > 0)
    sink.notice(
      `lines without a question left out: ${unfilled} of ${questions + unfilled} in ${basename(path)}`,
    )
  else if (questions === 0 && tableQuestions && (rows.length > 0 || records === 0))
    sink.diagnostic({ file: path, message: 'holds no question' })
}

/** True for records in BEIR's form; others have the columns of a table. */
export function hasGoldLists(path: string): boolean {
  if (/\.(csv|tsv|xlsx)$/i.test(path) || !existsSync(path)) return false
  const { keys, head } = openSource(path).shape(basename(path))
  return (
    /"gold"\s*:\s*\[/.test(head) || keys.includes('gold') || (keys.includes('_id') && keys.includes('text'))
  )
}

function createPlaces(documents: readonly Document[]) {
  const byName = documentsByName(documents)
  const sectionsIn = oncePer(({ text }: Document): readonly HeadingSection[] => sectionsOf(text))
  const sentencesIn = oncePer(({ text }: Document) =>
    sentences(text).map(({ start, end }) => text.slice(start, end).replace(/\s+/gu, ' ')),
  )
  /** The name or sentence that a mistyped one means, in words; '' if there is none. */
  const nearOf = ({ file = '', quote = '' }: WrittenGold): string => {
    const named = byName.get(file.normalize())
    if (!named) return didYouMean(file, byName.keys())
    const isHeld = named.some(({ text }) => quoteRanges(text, quote).length > 0)
    return isHeld ? '' : didYouMean(quote, named.flatMap(sentencesIn))
  }
  const placeOf = (gold: WrittenGold): (TextRange & { readonly documentId: string })[] | string => {
    const named = gold.file === undefined ? documents : byName.get(gold.file.normalize())
    if (!named) return `gold names the file "${gold.file}", which the folder does not hold`
    const results = named.map((document) => rangesIn(document, gold, sectionsIn))
    const ranges = results.flatMap((result, at) =>
      typeof result === 'string' ? [] : result.map((range) => ({ documentId: named[at].id, ...range })),
    )
    if (ranges.length > 0) return ranges
    if (gold.file === undefined) return `no document holds the quote "${gold.quote}"`
    return `${gold.file} ${named.length === 1 ? results[0] : `has no document with "${gold.quote ?? gold.headings?.join(' > ')}"`}`
  }
  return { placeOf, nearOf }
}

/** Documents by what gold may call them: an id, a file that holds several, or the key of one row of all tables. */
function documentsByName(documents: readonly Document[]): ReadonlyMap<string, readonly Document[]> {
  const named = new Map<string, Document[]>()
  const keyed = new Map<string, Document[]>()
  for (const document of documents) {
    const { id, metadata } = document
    // A Mac writes names with decomposed letters, people do not.
    for (const name of new Set([id, String(metadata.path ?? id)])) addTo(named, name.normalize(), document)
    if (id.includes('#')) addTo(keyed, id.slice(id.indexOf('#') + 1).normalize(), document)
  }
  for (const [key, rows] of keyed) if (!named.has(key) && rows.length === 1) named.set(key, rows)
  return named
}

function rangesIn(
  document: Document,
  { page, ...place }: WrittenGold,
  sectionsIn: (document: Document) => readonly HeadingSection[],
): readonly TextRange[] | string {
  const { text, metadata } = document
  const range =
    page === undefined ? { start: 0, end: text.length } : pageRange(metadata.pages, page, text.length)
  if (typeof range === 'string') return range
  const sections = place.headings === undefined ? [] : sectionsIn(document)
  const ranges = goldRanges(text, place, range, sections)
  return typeof ranges === 'string' && page !== undefined && place.quote !== undefined
    ? `does not hold the quote "${place.quote}" on page ${page}`
    : ranges
}

function pageRange(pages: unknown, page: number, length: number): TextRange | string {
  if (!Array.isArray(pages)) return 'has no pages'
  if (page < 1 || page > pages.length) return `has ${pages.length} pages, and gold names page ${page}`
  return { start: pages[page - 1], end: pages[page] ?? length }
}

function nameOf({ file = '', headings = [], page, quote }: WrittenGold): string {
  const parts = [file, ...headings, page === undefined ? undefined : `page ${page}`, quote]
  return parts.filter((part) => part !== undefined).join(' > ')
}
