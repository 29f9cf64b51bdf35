import { eachFileLine } from './lines.ts'
import type { DatasetSink } from './sink.ts'

/** Columns of a table of documents, by number from 1. */
export interface DocumentColumns {
  readonly id?: number
  readonly title?: number
  readonly text?: number
}

interface Layout {
  readonly id: number
  readonly title: number
  readonly text: number
  /** Lines of the header, 0 or 1. */
  readonly header: 0 | 1
  readonly fields: number
}

interface Line {
  readonly fields: readonly string[]
  readonly line: number
}

/** Lines that decide which of two columns is the text. */
const SAMPLE = 1000
/** A text is this many times as long as its title, over the sample. */
const LONGER = 2
/** Share of the sample's lines in which the text is the longer one. */
const MAX = 0.9

/** The most trusted name first. */
const NAMES = {
  id: ['doc_id', 'docno', 'document_id', 'docid', 'query_id', 'qid', 'pid', 'id', '_id'],
  title: ['title'],
  text: ['text', 'body', 'contents', 'content', 'passage', 'query', 'question'],
}

/**
 * Reads documents or queries between tabs: id and text, or three columns of which one is a title. ir_datasets writes
 * `doc_id, text, title` for some sets and `doc_id, title, text` for others, without a header: the text is the column that is
 * longer by far, or `columns` says; else a diagnostic. Other columns of a query may have anything (an address, a description),
 * so that only a header tells more than two columns of queries apart.
 */
export async function readDocumentTable(
  folder: string,
  file: string,
  { what, columns }: { readonly what: 'document' | 'query'; readonly columns?: DocumentColumns | undefined },
  sink: DatasetSink,
  take: (item: { id: string; title: string; text: string; location: { file: string; line: number } }) => void,
): Promise<void> {
  const waiting: Line[] = []
  let layout: Layout | 'refused' | undefined
  const give = ({ fields, line }: Line) => {
    if (layout === undefined || layout === 'refused' || (layout.header === 1 && line === 1)) return
    const location = { file, line }
    if (fields.length !== layout.fields)
      sink.diagnostic({
        ...location,
        message: `has ${fields.length} columns between tabs, and the first line has ${layout.fields}`,
      })
    else
      take({
        id: fields[layout.id],
        title: layout.title < 0 ? '' : fields[layout.title],
        text: fields[layout.text],
        location,
      })
  }
  const decide = () => {
    layout = layoutOf(
      waiting,
      { what, columns },
      (message, line) => sink.diagnostic({ file, line, message }),
      (message) => sink.notice(`${file}: ${message}`),
    )
    waiting.splice(0).forEach(give)
  }
  const lines = await eachFileLine(folder, file, sink, (content, line) => {
    const one = { fields: content.split('\t'), line }
    if (layout !== undefined) return give(one)
    waiting.push(one)
    if (waiting.length === SAMPLE) decide()
  })
  if (lines === 0) sink.diagnostic({ file, message: 'holds no line: the file is empty' })
  if (layout === undefined && waiting.length > 0) decide()
}

function layoutOf(
  lines: readonly Line[],
  { what, columns }: { readonly what: 'document' | 'query'; readonly columns?: DocumentColumns | undefined },
  wrong: (message: string, line: number) => void,
  tell: (message: string) => void,
): Layout | 'refused' {
  const [{ fields, line }] = lines
  const refuse = (message: string) => {
    wrong(message, line)
    return 'refused' as const
  }
  const count = fields.length
  if (columns) {
    const { id = 1, title = 0, text = 0 } = columns
    const given = [id, text, ...(title === 0 ? [] : [title])]
    if (text === 0) return refuse('`columns` must say which column is the text, as `columns: {text: 2}`')
    if (new Set(given).size < given.length) return refuse('`columns` gives two roles to one column')
    if (Math.max(...given) > count)
      return refuse(`has ${count} columns, and \`columns\` names column ${Math.max(...given)}`)
    return {
      id: id - 1,
      title: title - 1,
      text: text - 1,
      header: named(fields) || isIdName(fields[0]) ? 1 : 0,
      fields: count,
    }
  }
  const header = named(fields)
  if (header) return { ...header, header: 1, fields: count }
  if (isIdName(fields[0])) {
    if (count === 2) return { id: 0, title: -1, text: 1, header: 1, fields: 2 }
    return refuse(
      `is a header without a column that is known as the text (${NAMES.text.join(', ')}): ${fields.join(', ')}; rename one`,
    )
  }
  if (count === 2) return { id: 0, title: -1, text: 1, header: 0, fields: 2 }
  if (count > 2 && what === 'query')
    return refuse(
      `has ${count} columns: which of them is the query's text? Begin the file with a header, as query_id and text between tabs, or export with --format jsonl`,
    )
  const say = 'with `columns: {text: 2, title: 3}` (import: --columns text=2,title=3)'
  if (count !== 3)
    return refuse(
      count === 1
        ? 'has 1 column between tabs; id and text are needed'
        : `has ${count} columns; say which of them are the text and the title, ${say}, or export with --format jsonl`,
    )
  const whole = lines.filter((one) => one.fields.length === 3)
  const longer = (a: number, b: number) => {
    const size = (column: number) => whole.reduce((sum, one) => sum + one.fields[column].length, 0)
    const share = whole.filter((one) => one.fields[a].length > one.fields[b].length).length / whole.length
    return size(a) >= LONGER * size(b) && share >= MAX
  }
  const text = longer(1, 2) ? 1 : longer(2, 1) ? 2 : 0
  if (text === 0)
    return refuse(
      `has two columns besides the id, and neither is the longer by far: which is the text? Say so ${say}, or export with --format jsonl`,
    )
  tell(`text from column ${text + 1}, the longer, and title from column ${4 - text}`)
  return { id: 0, title: 3 - text, text, header: 0, fields: 3 }
}

/** True for the name of a column of ids, with which a header begins. */
export function isIdName(field: string): boolean {
  return NAMES.id.includes(normal(field))
}

function normal(name: string): string {
  return name.trim().toLowerCase().replaceAll('-', '_')
}

/** Columns by the names of a header; undefined if the line is none. */
function named(fields: readonly string[]): Pick<Layout, 'id' | 'title' | 'text'> | undefined {
  const names = fields.map(normal)
  const find = (known: readonly string[]) => {
    const name = known.find((one) => names.includes(one))
    return name === undefined ? -1 : names.indexOf(name)
  }
  const [id, title, text] = [find(NAMES.id), find(NAMES.title), find(NAMES.text)]
  return id < 0 || text < 0 ? undefined : { id, title, text }
}
