import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import { DOCUMENT_TEXT } from './columns.ts'
import { kindOfFile } from './folder/readers/index.ts'
import { type DatasetFormat, recognize } from './format.ts'
import { datasetFormats } from './formats/index.ts'
import { hasKeys, LATER_SHARD, openSource, type Source } from './source.ts'
import { isZip, unpackZip } from './zip.ts'

/** Name of the format of a file, folder or zip. Throws a UserError if none fits or several do. */
export function detectFormat(path: string): string {
  const { roots, close } = openRoots(path)
  try {
    const rooted = roots.map(openSource).map((source) => ({ source, found: sniffAll(source) }))
    for (const { found } of rooted) {
      const strong = found.filter(({ format }) => !format.isWeak)
      if (strong.length === 1) return strong[0].format.name
      if (strong.length > 1) {
        const names = strong.map(({ format }) => format.name)
        throw new UserError(
          `can be read as ${names.join(' or as ')}; say which: \`dataset: {${names[0]}: {path: ...}}\` (import: --from ${names[0]})`,
          path,
        )
      }
    }
    for (const { found } of rooted) if (found.length > 0) return found[0].format.name
    const { source } = rooted[rooted.length - 1]
    throw new UserError(severalSets(source) ?? unknown(source), path)
  } finally {
    close()
  }
}

/** File or folder that a format opens for a path: the path, the one thing inside it, or the files of a zip. */
export interface Root {
  readonly root: string
  /** Path of a file for messages: inside the zip if it was unpacked from one. */
  shown(file: string): string
  close(): void
}

/** Root below `path` that the format knows; the path itself, or the unpacked zip, if it knows none. */
export function openRoot(path: string, format: DatasetFormat): Root {
  const { roots, close } = openRoots(path)
  const root = roots.find((candidate) => recognize(format, openSource(candidate)) !== undefined) ?? roots[0]
  const [first] = roots
  return { root, close, shown: (file) => (file.startsWith(first) ? path + file.slice(first.length) : file) }
}

function sniffAll(source: Source) {
  return datasetFormats.all.flatMap((format) => {
    const files = recognize(format, source)
    return files ? [{ format, files }] : []
  })
}

const IGNORED =
  /^(?:\.|__MACOSX$|(?:readme|licen[cs]e|notice)(?:\.|$)|(?:dataset_dict|dataset_info|state)\.json$)/i

function openRoots(path: string): { readonly roots: readonly string[]; close(): void } {
  if (!existsSync(path)) throw new UserError('there is no such file or folder', path)
  if (!isZip(path)) return { roots: rootsOf(path), close() {} }
  const { folder, remove } = unpackZip(path)
  return { roots: rootsOf(folder), close: remove }
}

function rootsOf(path: string): string[] {
  const roots = [path]
  for (;;) {
    const root = roots[roots.length - 1]
    if (!statSync(root).isDirectory()) return roots
    const inside = readdirSync(root).filter((name) => !IGNORED.test(name) && !LATER_SHARD.test(name))
    if (inside.length !== 1 || roots.length > 4) return roots
    roots.push(join(root, inside[0]))
  }
}

function severalSets(source: Source): string | undefined {
  if (!source.isFolder) return undefined
  const inside = new Set(
    source.files
      .filter((file) => !LATER_SHARD.test(file))
      .flatMap((file) => file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/')))
      .filter((path) => (path.match(/\//g) ?? []).length < 2),
  )
  const datasets = [...inside].slice(0, 100).flatMap((path) => {
    const [detected] = sniffAll(openSource(join(source.path, path))).filter(({ format }) => !format.isWeak)
    return detected ? [`${path} (${detected.format.name})`] : []
  })
  if (datasets.length === 0) return undefined
  return `holds ${datasets.length === 1 ? 'a data set' : `${datasets.length} data sets`}: ${datasets.join(', ')}; give the path of ${datasets.length === 1 ? 'it' : 'one'}`
}

/** Keys of files that no format reads, and the files to take instead. */
const RELATIVES: readonly (readonly [readonly string[], string])[] = [
  [
    ['passages', 'query', 'query_type'],
    "MS MARCO's question answering; Touchstone reads its retrieval data: collection.tsv, queries.<split>.tsv, qrels.<split>.tsv",
  ],
  [
    ['claim', 'evidence'],
    "FEVER or SciFact as first published; Touchstone reads BEIR's form of them: `dataset: beir/fever` or `beir/scifact`",
  ],
  [
    ['qid', 'query', 'answer_pids'],
    'LoTTE as first published; Touchstone reads what ir_datasets exports of it (docs, queries, qrels)',
  ],
  [
    ['query', 'gold_ids'],
    "BRIGHT; Touchstone reads it as a BEIR folder: corpus.jsonl of its documents, queries.jsonl, and `gold_ids` as qrels/test.tsv. Documents of `excluded_ids` stay in the rankings of their query, so scores are lower than with BRIGHT's own program",
  ],
  [
    ['question', 'positive_ctxs'],
    'training data of DPR; Touchstone reads it as a BEIR folder: corpus.jsonl of its contexts, queries.jsonl, and `positive_ctxs` as qrels/test.tsv',
  ],
  [
    ['_id', 'question', 'context'],
    'a test set of HotpotQA or 2Wiki: it has no `supporting_facts`, so no gold; take the dev set',
  ],
]

const SHAPED = 20

function unknown(source: Source): string {
  if (!source.isFolder) {
    const { kind, keys } = source.shape(source.files[0])
    if (kind === 'parquet' && keys.length === 0) return 'is no readable Parquet file; is it cut off?'
    const whole = sniffAll(openSource(dirname(source.path))).find(
      ({ format, files }) => !format.isWeak && files.includes(source.files[0]),
    )
    if (whole) return `is one file of a data set (${whole.format.name}); give the path of its folder`
  }
  const relative = RELATIVES.find(([wanted]) =>
    source.files.slice(0, SHAPED).some((file) => hasKeys(source.shape(file), ...wanted)),
  )
  if (relative) return `looks like ${relative[1]}`
  if (/\.graphml(?:\.gz)?$/i.test(source.path) && !source.isFolder)
    return `is a graph, which lies over a corpus: name the corpus as \`dataset\`, and \`prepare: {graph: {graphml: ${basename(source.path)}}}\``
  const names = datasetFormats.all.map(({ name }) => name)
  return `looks like ${describeSource(source)}, which is no data set that Touchstone knows; Touchstone reads ${names.join(', ')} (\`touchstone list formats\`). If this is one of them: \`dataset: {FORMAT: {path: ...}}\` (import: --from FORMAT). If not, convert it to BEIR: corpus.jsonl, queries.jsonl, qrels/test.tsv${asDocuments(source)}`
}

function asDocuments({ files, shape, isFolder }: Source): string {
  const texts = DOCUMENT_TEXT.names.flat()
  const isTable = files.slice(0, SHAPED).some((file) => {
    const { kind, keys } = shape(file)
    const names = kind === 'table' || kind === 'records' ? keys : []
    return kindOfFile(file) && names.some((name) => texts.includes(name.trim().toLowerCase()))
  })
  const isText = !isFolder && shape(files[0]).kind === 'text' && kindOfFile(files[0])
  if (!isTable && !isText) return ''
  return `. If ${isTable ? 'each record' : 'it'} is a document: \`dataset: {folder: {path: ...}}\``
}

function describeSource(source: Source): string {
  if (!source.isFolder) return describeFile(source, source.files[0])
  if (source.files.length === 0) return 'an empty folder'
  const shown = source.files.slice(0, 3).map((file) => `${file} (${describeFile(source, file)})`)
  const more = source.files.length - shown.length
  return `a folder with ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const KINDS = {
  records: 'JSON records',
  object: 'a JSON object',
  table: 'a table',
  parquet: 'Parquet',
  arrow: 'Arrow',
  yaml: 'YAML',
  text: 'a text',
  binary: 'a binary file',
} as const

function describeFile(source: Source, file: string): string {
  const { kind, keys } = source.shape(file)
  const word = kind === 'parquet' || kind === 'table' ? 'columns' : 'keys'
  const shown = keys.slice(0, 8).map((key) => JSON.stringify(key.slice(0, 40)))
  return `${KINDS[kind]}${shown.length > 0 ? ` with the ${word} ${shown.join(', ')}` : ''}`
}
