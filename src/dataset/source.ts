import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gunzipSync, constants as zlib } from 'node:zlib'
import { parquetMetadata, parquetSchema } from 'hyparquet'
import { requireFile } from '../store/input.ts'
import { parseCsv } from '../text/csv.ts'

export interface Shape {
  readonly kind: 'records' | 'object' | 'table' | 'parquet' | 'arrow' | 'yaml' | 'text' | 'binary'
  /** Keys of the first record, of the object, of the header. */
  readonly keys: readonly string[]
  /** Beginning of the text; '' for Parquet and Arrow. */
  readonly head: string
}

export interface Source {
  readonly path: string
  readonly isFolder: boolean
  /** The folder, or the one in which the file is. */
  readonly folder: string
  /** Paths below the folder, with `/`, in order; of a file its own name. */
  readonly files: readonly string[]
  shape(file: string): Shape
}

/** Shards behind the first, which names the set. */
export const LATER_SHARD = /-(?!00000)\d{5}-of-\d{5}\b/

const HEAD = 2 ** 18
const FOOTER = 2 ** 24
const WHOLE = 2 ** 27
const MOST = 5000
const DEEPEST = 5

export function openSource(path: string): Source {
  const isFolder = statSync(path).isDirectory()
  // A pipe is opened for ever.
  if (!isFolder) requireFile(path)
  const folder = isFolder ? path : dirname(path)
  const shapes = new Map<string, Shape>()
  return {
    path,
    isFolder,
    folder,
    files: isFolder ? filesBelow(path) : [basename(path)],
    shape(file) {
      const shape = shapes.get(file) ?? shapeOf(join(folder, file))
      shapes.set(file, shape)
      return shape
    },
  }
}

export function hasKeys({ keys }: Shape, ...wanted: readonly string[]): boolean {
  return wanted.every((key) => keys.includes(key))
}

/** True for a table of labels: it has columns of queries' ids and of documents' ids. */
export function hasLabels({ keys }: Pick<Shape, 'keys'>): boolean {
  const names = keys.map((key) => key.trim().toLowerCase().replaceAll('-', '_'))
  const has = (wanted: readonly string[]) => wanted.some((name) => names.includes(name))
  return has(['query_id', 'qid']) && has(['corpus_id', 'doc_id', 'docid', 'docno', 'document_id'])
}

/** Paths of the files below a folder, the first `MOST` of them; hidden ones apart. */
function filesBelow(folder: string): string[] {
  const paths: string[] = []
  const visit = (below: string, depth: number) => {
    for (const entry of entriesOf(join(folder, below)) ?? []) {
      if (paths.length >= MOST) return
      if (/^\.|^__MACOSX$|^node_modules$/.test(entry.name)) continue
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      // A link may lead to a folder above: only links to files are followed.
      const target = entry.isSymbolicLink() ? statsOf(join(folder, path), true) : entry
      if (target && !target.isDirectory()) paths.push(path)
      else if (entry.isDirectory() && depth < DEEPEST) visit(path, depth + 1)
    }
  }
  visit('', 0)
  return paths
}

function shapeOf(path: string): Shape {
  // The reader of a file that may not be read, or is a pipe, says so.
  if (!isReadableFile(path)) return { kind: 'binary', keys: [], head: '' }
  const name = path.replace(/\.gz$/, '')
  if (name.endsWith('.parquet')) return { kind: 'parquet', keys: parquetColumns(path), head: '' }
  if (name.endsWith('.arrow')) return { kind: 'arrow', keys: arrowColumns(path), head: '' }
  const head = textHead(path, HEAD)
  if (head === undefined) return { kind: 'binary', keys: [], head: '' }
  if (/\.ya?ml$/.test(name))
    return { kind: 'yaml', keys: [...head.matchAll(/^(?:- )?(\w+):/gm)].map((match) => match[1]), head }
  if (/\.(csv|tsv)$/.test(name)) {
    const isTabbed = name.endsWith('.tsv')
    const [line] = /^(?:sep=.\r?\n)?.*/i.exec(head) ?? ['']
    return { kind: 'table', keys: isTabbed ? line.split('\t') : (parseCsv(line)[0]?.fields ?? []), head }
  }
  if (!/\.(json|jsonl|ndjson)$/.test(name)) return { kind: 'text', keys: [], head }
  const short = jsonKeys(head)
  const isCut = short.end < 0 && head.length >= HEAD - 4 && !short.isList && /\.json$/.test(name)
  const { keys, isList, end } = isCut ? jsonKeys(textHead(path, WHOLE) ?? head) : short
  const follows = end >= 0 && head.slice(end).trimStart().startsWith('{')
  const isRecords = isList || follows || !/\.json$/.test(name)
  return { kind: isRecords ? 'records' : 'object', keys, head }
}

/** Keys of the first object of a JSON text, which may be cut off; `end` is behind that object, or -1. */
function jsonKeys(text: string): { keys: string[]; isList: boolean; end: number } {
  const keys: string[] = []
  const start = text.search(/[^\s[]/)
  const isList = /^\s*\[/.test(text)
  if (text[start] !== '{') return { keys, isList, end: -1 }
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      let end = at + 1
      while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
      if (depth === 1 && /^\s*:/.test(text.slice(end + 1, end + 20))) keys.push(text.slice(at + 1, end))
      at = end
    } else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return { keys, isList, end: at + 1 }
  }
  return { keys, isList, end: -1 }
}

function parquetColumns(path: string): string[] {
  const bytes = readPart(path, (size) => [Math.max(0, size - FOOTER), size])
  try {
    const { buffer, byteOffset, byteLength } = bytes
    const metadata = parquetMetadata(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)
    return parquetSchema(metadata).children.map(({ element }) => element.name)
  } catch {
    return []
  }
}

/** Columns of a folder of Hugging Face's `save_to_disk`, from its `dataset_info.json`. */
function arrowColumns(path: string): string[] {
  const info = join(dirname(path), 'dataset_info.json')
  const text = statSync(info, { throwIfNoEntry: false })?.isFile() ? textHead(info, WHOLE) : undefined
  try {
    return Object.keys((JSON.parse(text ?? '{}') as { features?: object }).features ?? {})
  } catch {
    return []
  }
}

/** First characters of a text file, plain or gzip; undefined for a file that is no UTF-8 text. */
function textHead(path: string, length: number): string | undefined {
  const raw = readPart(path, (size) => [0, Math.min(size, length)])
  let bytes = raw
  if (raw[0] === 0x1f && raw[1] === 0x8b)
    try {
      bytes = gunzipSync(raw, { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: 4 * WHOLE })
    } catch {
      return undefined
    }
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, length))
  return text.includes('\0') ? undefined : text
}

function readPart(path: string, range: (size: number) => [number, number]): Buffer {
  const descriptor = openSync(path, 'r')
  try {
    const [start, end] = range(fstatSync(descriptor).size)
    const bytes = Buffer.alloc(end - start)
    let filled = 0
    for (let read = -1; filled < bytes.length && read !== 0; filled += read)
      read = readSync(descriptor, bytes, filled, bytes.length - filled, start + filled)
    return bytes.subarray(0, filled)
  } finally {
    closeSync(descriptor)
  }
}

/** Entries of a folder by name; undefined if it may not be read. */
export function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return undefined
  }
}

/** Kind and size of an entry, or of a link's target; undefined if it is gone, leads nowhere or in a circle. */
export function statsOf(path: string, follow: boolean): Stats | undefined {
  try {
    return follow ? statSync(path) : lstatSync(path)
  } catch {
    return undefined
  }
}

/** True for a file that may be opened: a pipe would be opened for ever. */
function isReadableFile(path: string): boolean {
  if (!statsOf(path, true)?.isFile()) return false
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
