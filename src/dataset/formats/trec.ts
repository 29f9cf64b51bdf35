import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { defineDatasetFormat } from '../format.ts'
import { eachFileLine } from '../lines.ts'
import { policyShape } from '../policies.ts'
import { readTrecQrels } from '../qrel-lines.ts'
import { wholeText } from '../questions-file.ts'
import type { DatasetSink } from '../sink.ts'
import { openSource, type Source } from '../source.ts'

/** Files of a folder that are looked into. */
const SNIFFED = 200
const FIELDS = ['title', 'desc', 'narr', 'title+desc', 'title+desc+narr'] as const
const OTHER_NAMES: Readonly<Record<string, string>> = {
  title: 'title|query',
  desc: 'desc|description|question',
  narr: 'narr|narrative',
}

/**
 * TREC's own files: documents in SGML (`<DOC><DOCNO>…</DOCNO>…</DOC>`), topics (`<top><num>…<title>…<desc>…<narr>…</top>`) and
 * qrels of four columns.
 */
export const trec = defineDatasetFormat({
  name: 'trec',
  summary: 'TREC documents in SGML, topics with title, desc and narr, qrels of four columns',
  drops: 'markup and fields of documents other than title and text; topic fields that `topic` does not name',
  params: z.strictObject({
    path: z.string().describe('the folder'),
    topic: z.enum(FIELDS).default('title').describe('fields of a topic that form the query'),
    ...policyShape,
  }),
  sniff: (source) => {
    const { documents, topics, qrels } = filesOf(source)
    return documents.length > 0 || topics.length > 0
      ? { files: [...documents, ...topics, ...qrels] }
      : undefined
  },
  async load({ path, topic }, sink) {
    const { documents, topics, qrels } = filesOf(openSource(path), Number.POSITIVE_INFINITY)
    if (documents.length === 0)
      sink.diagnostic({ file: path, message: 'holds no file of TREC documents (`<DOC>`)' })
    const [topicFile] = only(topics, 'topics (`<top>`)', path, sink)
    const [qrelFile] = only(qrels, 'qrels (a file with qrels in its name)', path, sink)
    if (documents.length === 0 || topicFile === undefined || qrelFile === undefined) return
    for (const file of documents) await readDocuments(path, file, sink)
    readTopics(path, topicFile, topic, sink)
    await readTrecQrels(path, qrelFile, sink)
    sink.notice(
      `read as TREC: ${documents.slice(0, 3).join(', ')}${documents.length > 3 ? `, and ${documents.length - 3} more` : ''}, ${topicFile}, ${qrelFile}; query=${topic}, document=DOCNO, grade=column 4`,
    )
  },
})

function only(files: readonly string[], what: string, path: string, sink: DatasetSink): readonly string[] {
  if (files.length === 1) return files
  const message =
    files.length === 0
      ? `holds no ${what}`
      : `holds ${files.length} files of ${what}: ${files.join(', ')}; keep one of them in the folder`
  sink.diagnostic({ file: path, message })
  return []
}

function filesOf(source: Source, most = SNIFFED) {
  const files = source.isFolder ? source.files.slice(0, most) : []
  const heads = files
    .filter((file) => !/\.(parquet|arrow|jsonl?|md|csv|ya?ml|pdf|docx|html?)(\.gz)?$/i.test(file))
    .map((file) => ({ file, head: source.shape(file).head }))
  const like = (pattern: RegExp) => heads.filter(({ head }) => pattern.test(head)).map(({ file }) => file)
  const qrels = heads.filter(
    ({ file, head }) =>
      /qrels/i.test(file) && /^[ \t]*\S+[ \t]+\S+[ \t]+\S+[ \t]+-?\d+[ \t]*\r?$/m.test(head),
  )
  return {
    documents: like(/<DOC>\s*<DOCNO>/i),
    topics: like(/<top(?:ic)?\b[^<>]*>(?:(?!<top)[\s\S])*?<(?:title|query)>/i),
    qrels: qrels.map(({ file }) => file),
  }
}

async function readDocuments(folder: string, file: string, sink: DatasetSink): Promise<void> {
  let lines: string[] = []
  let first = 0
  let last = 0
  const end = () => {
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
      sink.document({ id: plain(id), title: plain(title), text: plain(text), metadata: {} }, location)
    }
    lines = []
  }
  await eachFileLine(folder, file, sink, (content, line) => {
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
}

/** Entities of TREC's collections that HTML has not, or as another sign. */
const OWN_ENTITIES: Readonly<Record<string, string>> = { hyph: '-', blank: ' ', nbsp: ' ' }

const decodedEntities = new Map<string, string>()

/**
 * Text of an entity of HTML; the entity itself if HTML has none of this name, though it may begin with one, as `&copyright;`. A
 * control character is a space.
 */
function decodeEntity(entity: string): string {
  const known = decodedEntities.get(entity)
  if (known !== undefined) return known
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
      const own = OWN_ENTITIES[name.toLowerCase()]
      if (own !== undefined) return own
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

function readTopics(folder: string, file: string, wanted: string, sink: DatasetSink): void {
  const text = wholeText(join(folder, file), file, sink) ?? ''
  for (const match of text.matchAll(/<top(ic)?\b([^<>]*)>([\s\S]*?)(?:<\/top\1>|(?=<top\b)|$)/gi)) {
    const [, , attributes, inner] = match
    const line = text.slice(0, match.index).split('\n').length
    const location = { file, line }
    const id =
      /\b(?:number|id)\s*=\s*"([^"]+)"/i.exec(attributes)?.[1] ?? fieldOf(inner, 'num', /^\s*Number\s*:/i)
    const names = wanted.split('+')
    const parts = names.map((name) =>
      fieldOf(inner, OTHER_NAMES[name], /^\s*(?:Topic|Description|Narrative)\s*:/i),
    )
    if (!id) sink.diagnostic({ ...location, message: 'is a topic without a number (<num>)' })
    else if (parts.includes(undefined))
      sink.diagnostic({
        ...location,
        message: `topic ${id} has no <${names[parts.indexOf(undefined)]}>, which \`topic: ${wanted}\` asks for`,
      })
    else
      sink.query(
        { id, text: parts.join(' '), metadata: {}, category: null, answers: [], answerable: true },
        location,
      )
  }
}

/** Text of a field, which ends at the next tag; undefined if there is none. */
function fieldOf(inner: string, names: string, label: RegExp): string | undefined {
  const [, raw] = new RegExp(`<(?:${names})\\b[^<>]*>([\\s\\S]*?)(?=<[/!]?[a-z]|$)`, 'i').exec(inner) ?? []
  const text = raw === undefined ? '' : plain(raw.replace(label, '')).replace(/\s+/g, ' ').trim()
  return text === '' ? undefined : text
}
