import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { defineFormat, type FileRule, filesOfRole } from '../format.ts'
import { eachFileLine, wholeText } from '../lines.ts'
import type { RecordReader } from '../records.ts'

const FIELDS = ['title', 'desc', 'narr', 'title+desc', 'title+desc+narr'] as const
const OTHER_NAMES: Readonly<Record<string, string>> = {
  title: 'title|query',
  desc: 'desc|description|question',
  narr: 'narr|narrative',
}
/** Files of other formats may hold such tags as text. */
const path = /^(?!.*\.(?:parquet|arrow|jsonl?|md|csv|ya?ml|pdf|docx|html?)(?:\.gz)?$)/i

const corpus: FileRule = {
  name: 'documents',
  also: 'a file of `<DOC>`',
  path,
  head: /<DOC>\s*<DOCNO>/i,
  isMany: true,
  records: (...args) => eachDocument(...args),
}
const questions: FileRule = {
  name: 'topics',
  also: 'a file of `<top>`',
  path,
  head: /<top(?:ic)?\b[^<>]*>(?:(?!<top)[\s\S])*?<(?:title|query)>/i,
  records: (...args) => eachTopic(...args),
}

/**
 * TREC's own files: documents in SGML (`<DOC><DOCNO>…</DOCNO>…</DOC>`), topics (`<top><num>…<title>…<desc>…<narr>…</top>`) and
 * qrels of four columns.
 */
export const trec = defineFormat({
  name: 'trec',
  summary: 'TREC documents in SGML, topics with title, desc and narr, qrels of four columns',
  drops: 'markup and fields of documents other than title and text; topic fields that `topic` does not name',
  path: 'the folder',
  params: { topic: z.enum(FIELDS).default('title').describe('fields of a topic that form the query') },
  roles: {
    corpus,
    questions,
    labels: {
      name: 'qrels',
      also: 'a file with qrels in its name',
      path: new RegExp(`${path.source}.*qrels`, 'i'),
      head: /^[ \t]*\S+[ \t]+\S+[ \t]+\S+[ \t]+-?\d+[ \t]*\r?$/m,
      isTrec: true,
    },
  },
  recognises: (source) => [corpus, questions].some((rule) => filesOfRole(rule, source, {}, 200).length > 0),
  document: ({ id, title, text }) => ({ id, title, text }),
  question({ id, inner }, { params: { topic } }) {
    if (id === '') throw new UserError('is a topic without a number (<num>)')
    const parts = (topic as string).split('+').map((name) => {
      const part = fieldOf(inner, OTHER_NAMES[name], /^\s*(?:Topic|Description|Narrative)\s*:/i)
      if (part === undefined)
        throw new UserError(`topic ${id} has no <${name}>, which \`topic: ${topic}\` asks for`)
      return part
    })
    return { id, text: parts.join(' ') }
  },
})

const eachDocument: RecordReader = async (folder, file, sink, take) => {
  let documents = 0
  let lines: string[] = []
  let first = 0
  let last = 0
  const end = () => {
    documents++
    const inner = lines.join('\n').replace(/<\/DOC>[\s\S]*$/i, '')
    const [, id] = /<DOCNO>((?:(?!<DOCNO>)[\s\S])*?)<\/DOCNO>/i.exec(inner) ?? []
    const location = { file, line: first }
    if (id === undefined) sink.diagnostic({ ...location, message: 'is a <DOC> without <DOCNO>' })
    else {
      const [, title = ''] =
        /<(?:TITLE|HEADLINE|HL|HEAD)>((?:(?!<(?:TITLE|HEADLINE|HL|HEAD)>)[\s\S])*?)<\/(?:TITLE|HEADLINE|HL|HEAD)>/i.exec(
          inner,
        ) ?? []
      const texts = [...inner.matchAll(/<TEXT>((?:(?!<TEXT>)[\s\S])*?)<\/TEXT>/gi)].map(([, text]) => text)
      const rest = inner.replace(
        /<(DOCNO|DOCID|DOCHDR|TITLE|HEADLINE|HL|HEAD|DATE|FILEID|SCRIPT|STYLE)\b[^<>]*>(?:(?!<\1\b)[\s\S])*?<\/\1>/gi,
        '',
      )
      const text = texts.length > 0 ? texts.join('\n') : rest
      take({ id: plain(id), title: plain(title), text: plain(text) }, location)
    }
    lines = []
  }
  const count = await eachFileLine(folder, file, sink, (content, line) => {
    last = line
    for (const piece of content.split(/(?<=<\/DOC>)/i)) {
      // Within a line it is text.
      if (/^\s*<DOC>/i.test(piece) && lines.length > 0) {
        sink.diagnostic({
          file,
          line,
          message: `begins a <DOC> within the <DOC> of line ${first}, which has no </DOC>`,
        })
        lines = []
      }
      if (/<DOC>/i.test(piece)) first = line
      if (lines.length > 0 || /<DOC>/i.test(piece)) lines.push(piece.replace(/^.*?<DOC>/i, ''))
      if (/<\/DOC>/i.test(piece)) end()
    }
  })
  if (lines.length > 0)
    sink.diagnostic({
      file,
      line: last,
      message: `ends within the <DOC> that begins in line ${first}; is the file cut off?`,
    })
  return documents || count
}

/** Entities of TREC's collections that HTML has not, or as another sign. */
const OWN_ENTITIES: Readonly<Record<string, string>> = { hyph: '-', blank: ' ', nbsp: ' ' }

const decodedEntities = new Map<string, string>()

/** Text of an entity of HTML; the entity itself if HTML has none of this name, as `&copyright;`. A control character is a space. */
function decodeEntity(entity: string): string {
  const cached = decodedEntities.get(entity)
  if (cached !== undefined) return cached
  // Read with the first entity: most collections have few.
  const { parseDocument } = createRequire(import.meta.url)('htmlparser2') as typeof import('htmlparser2')
  const text = parseDocument(entity)
    .children.map((node) => ('data' in node ? node.data : ''))
    .join('')
    .replace(/[\p{Cc}\ufffd]/gu, ' ')
  const whole = text.length > 1 && text.endsWith(';') ? entity : text
  decodedEntities.set(entity, whole)
  return whole
}

/** Text without tags, entities decoded as HTML has them; others stay as they are written. */
function plain(text: string): string {
  return text
    .replace(/<[/!]?[a-z][^<>]*>/gi, ' ')
    .replace(/&(#?\w+);/g, (whole, name: string) => {
      const override = OWN_ENTITIES[name.toLowerCase()]
      if (override !== undefined) return override
      const decoded = decodeEntity(whole)
      if (decoded !== whole) return decoded
      // Some collections write names in capitals.
      const lower = decodeEntity(whole.toLowerCase())
      return lower === whole.toLowerCase() ? whole : lower
    })
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
}

const eachTopic: RecordReader = async (folder, file, sink, take) => {
  const text = wholeText(join(folder, file), file, sink)
  if (text === undefined) return 1
  const topics = [...text.matchAll(/<top(ic)?\b([^<>]*)>([\s\S]*?)(?:<\/top\1>|(?=<top\b)|$)/gi)]
  for (const { 2: attributes, 3: inner, index } of topics) {
    const stated = /\b(?:number|id)\s*=\s*"([^"]+)"/i.exec(attributes)?.[1]
    const id = stated ?? fieldOf(inner, 'num', /^\s*Number\s*:/i) ?? ''
    take({ id, inner }, { file, line: text.slice(0, index).split('\n').length })
  }
  return topics.length
}

/** Text of a field, which ends at the next tag; undefined if there is none. */
function fieldOf(inner: string, names: string, label: RegExp): string | undefined {
  const [, raw] = new RegExp(`<(?:${names})\\b[^<>]*>([\\s\\S]*?)(?=<[/!]?[a-z]|$)`, 'i').exec(inner) ?? []
  const text = raw === undefined ? '' : plain(raw.replace(label, '')).replace(/\s+/g, ' ').trim()
  return text === '' ? undefined : text
}
