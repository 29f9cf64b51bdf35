import { basename, dirname, extname, join, posix, resolve } from 'node:path'
import { UserError } from '../../errors.ts'
import { addTo, countsOf } from '../../maps.ts'
import type { Document } from '../../types.ts'
import { type ReadFile, readFiles } from '../folder/read-files.ts'
import type { Unread } from '../folder/reader.ts'
import { KINDS, kindOfFile } from '../folder/readers/index.ts'
import { slashed, type Walked, walk } from '../folder/walk.ts'
import { defineFormat, type Reading } from '../format.ts'
import { ofAny } from '../sink.ts'
import { statsOf } from '../source.ts'

const NAMED = 3
/** Files that may share a first heading; of more, each is called by its own name. */
const SHARED_TITLE = 2

/** Kinds of lone files that may as well be runs, labels or a log. */
const PLAIN = /\.(?:txt|text|log)$/i

/**
 * A folder of documents, searched to the bottom, or one file. An id is the path below the folder, with the row of a table. Without a
 * file of questions such a corpus can be prepared and asked, not run.
 */
export const folder = defineFormat({
  name: 'folder',
  summary:
    'documents (Markdown, HTML, PDF, Word, tables, ...) in a folder or one file, with or without a file of questions',
  drops: 'files of other kinds and files that cannot be read, counted by reason',
  path: 'the folder, or one file',
  place: 'either',
  roles: {},
  takesQuestions: true,
  isWeak: true,
  least: 0,
  recognises({ path, isFolder }) {
    const all = isFolder
      ? walk(path).files.map(({ file }) => file)
      : [basename(path)].filter((file) => !PLAIN.test(file))
    return all.some((file) => kindOfFile(file) && kindOfFile(file)?.data === undefined)
  },
  read: ({ path, questions }, reading) => readFolder(path, reading, questions),
})

/** Documents of a file, or of a folder without its `questions`. Throws a UserError for files whose parser was ended. */
export async function readFolder(from: string, reading: Reading, questions?: string) {
  const stats = statsOf(from, true)
  const isFile = stats?.isFile() === true
  const path = isFile ? dirname(from) : from
  const walked = isFile
    ? { files: [{ file: basename(from), bytes: stats.size }], ignored: 0, links: [], unreadable: [] }
    : walk(from)
  const questionsPath = questions === undefined ? undefined : slashed(resolve(questions))
  const files = walked.files.filter(({ file }) => slashed(resolve(path, file)) !== questionsPath)
  const read: ReadFile[] = [...(await readFiles(path, files, reading)), ...walked.unreadable]
  const dropped = read.flatMap((file) => {
    if (!('unreadable' in file) || !file.dropped) return []
    const message = `is a ${file.unreadable}; to leave it out, name it in .touchstoneignore`
    return [{ file: join(path, file.file), message }]
  })
  if (dropped.length > 0) throw new UserError(dropped)
  const documents = documentsOf(read)
  return {
    documents,
    ...(documents.length === 0 && { problem: `holds no document that can be read${reasons(read)}` }),
    notices: leftOut(read, walked),
  }
}

export function documentsOf(read: readonly ReadFile[]): Document[] {
  const documents = read.flatMap((file) =>
    'documents' in file
      ? file.documents.flatMap(({ part, ...document }) =>
          // A file without content is common in such folders and no harm.
          document.text.trim() === '' ? [] : [{ file: file.file, part, ...document }],
        )
      : [],
  )
  const shared = countsOf(documents.map(({ title }) => title))
  return documents.map(({ file, part, title, text, metadata }) => ({
    id: part === undefined ? file : `${file}#${part}`,
    title:
      title === '' || (part === undefined && (shared.get(title) as number) > SHARED_TITLE)
        ? nameOf(file)
        : title,
    text,
    metadata: { ...metadata, path: file },
  }))
}

/** Name of a file without its extension; of an index file the folder's. */
function nameOf(file: string): string {
  const name = basename(file, extname(file))
  const above = posix.basename(posix.dirname(file))
  return /^(?:index|readme)$/i.test(name) && above !== '.' ? above : name
}

function leftOut(read: readonly ReadFile[], { ignored, links }: Pick<Walked, 'ignored' | 'links'>): string[] {
  const byReason = new Map<string, string[]>()
  const unknown: string[] = []
  for (const file of read) {
    const isEmpty = 'documents' in file && file.documents.every(({ text }) => text.trim() === '')
    const reason = 'unreadable' in file ? file.unreadable : isEmpty ? 'empty file' : undefined
    if (reason === undefined) continue
    if (reason === 'unknown kind') unknown.push(extname(file.file).toLowerCase() || 'no extension')
    else addTo(byReason, reason, file.file)
  }
  const kinds = [...countsOf(unknown)].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const remarks = new Map<string, { count: number; of: number; files: Set<string> }>()
  for (const file of read) {
    const documents = 'documents' in file ? file.documents : []
    const empty = documents.filter(({ part, text }) => part !== undefined && text.trim() === '').length
    const rows: Unread = { what: 'rows without a text', count: empty < documents.length ? empty : 0 }
    for (const remark of [...documents.flatMap(({ remarks = [] }) => remarks), rows]) {
      const unread: Unread = typeof remark === 'string' ? { what: remark, count: Number.NaN } : remark
      if (unread.count === 0) continue
      const { count, of, files } = remarks.get(unread.what) ?? { count: 0, of: 0, files: new Set() }
      files.add(file.file)
      remarks.set(unread.what, { count: count + unread.count, of: of + (unread.of ?? 0), files })
    }
  }
  const sentences = [...remarks].map(([remark, { count, of, files }]): [string, string[]] => {
    const counted = `${count.toLocaleString('en')}${of === 0 ? '' : ` of ${of.toLocaleString('en')}`}`
    return [Number.isNaN(count) ? remark : `with ${remark} (${counted}), not read`, [...files]]
  })
  const inWords = (groups: [string, string[]][]) =>
    groups
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([words, files]) => `${quantity(files.length, 'file')} ${words}: ${named(files)}`)
  return [
    ...inWords(sentences),
    ...inWords([...byReason].map(([reason, files]) => [`left out, ${reason}`, files])),
    ...ofAny(
      [
        unknown.length,
        `${quantity(unknown.length, 'file')} of other kinds left out: ${kinds.map(([extension, count]) => `${count} ${extension}`).join(', ')}`,
      ],
      [
        links.length,
        `${quantity(links.length, 'link')} not followed, to nowhere, out of the folder, or to a folder that is read already: ${named(links)}`,
      ],
      [
        ignored,
        `${quantity(ignored, 'file or folder', 'files and folders')} ignored: hidden, node_modules, or named by .gitignore or .touchstoneignore`,
      ],
    ),
  ]
}

function named(files: readonly string[]): string {
  const more = files.length - NAMED
  return `${files.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function reasons(read: readonly ReadFile[]): string {
  const [first] = read
  if (!first) return ': it holds no file'
  const files = `; of ${quantity(read.length, 'file')} the first is ${first.file}`
  if (!('unreadable' in first)) return files
  if (first.unreadable !== 'unknown kind') return `${files}, ${first.unreadable}`
  const endings = KINDS.filter(({ data }) => !data).map(({ extensions }) => `.${extensions[0]}`)
  return `${files}; files are read by their endings: ${endings.join(', ')}, and those of tables and source code`
}

function quantity(count: number, singular: string, many = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : many}`
}
