import { extname } from 'node:path'
import type { Diagnostic } from '../../../errors.ts'
import { readPlainOrGzip } from '../../../store/input.ts'
import { parseCsv } from '../../../text/csv.ts'
import { parseJson } from '../../../text/json.ts'
import { chunksCell, type EdgeRecord, type GraphRecords, NAMES, type NodeRecord } from './records.ts'

const ENDS = {
  source: ['source', 'from', 'subject', 'head', 'start', '_start', ':start_id'],
  target: ['target', 'to', 'object', 'tail', 'end', '_end', ':end_id'],
} as const

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly fields: readonly string[]; readonly line: number }[]
  readonly diagnostics: readonly Diagnostic[]
}

function readRows(path: string): Table {
  const text = readPlainOrGzip(path)
  const [first] = text.split('\n', 1)
  const isTabbed = extname(plainName(path)) === '.tsv' || (first.includes('\t') && !/[,;]/.test(first))
  const parsed = isTabbed
    ? text
        .split(/\r?\n/)
        .flatMap((row, at) =>
          row === '' ? [] : [{ fields: row.split('\t').map(unquotedField), line: at + 1 }],
        )
    : parseCsv(text)
  const [head, ...rows] = parsed
  const columns = (head?.fields ?? []).map(columnName)
  const diagnostics = parsed.flatMap((row): Diagnostic[] => {
    const { diagnostic } = { diagnostic: undefined, ...row }
    if (diagnostic !== undefined) return [{ file: path, line: row.line, message: diagnostic }]
    return row.fields.length === columns.length
      ? []
      : [
          {
            file: path,
            line: row.line,
            message: `has ${row.fields.length} fields, the first line ${columns.length}`,
          },
        ]
  })
  return { columns, rows, diagnostics }
}

/** Name of a file in lower case, without the ending of a compressed one. */
function plainName(path: string): string {
  return path.toLowerCase().replace(/\.gz$/, '')
}

function unquotedField(field: string): string {
  return /^"(?:[^"]|"")*"$/.test(field) ? field.slice(1, -1).replaceAll('""', '"') : field
}

/** Name of a column in lower case. neo4j-admin writes `:START_ID(Town)`, with the group of ids. */
function columnName(written: string): string {
  const name = written.trim().toLowerCase()
  return /^[^:]*(:start_id|:end_id|:type)(?:\(.*\))?$/.exec(name)?.[1] ?? name
}

/** Attributes of a row; `skip` are columns that are none. */
function attributesOf(
  { columns }: Table,
  fields: readonly string[],
  skip: readonly (string | undefined)[],
): Map<string, string> {
  return new Map(
    columns.flatMap((name, at) => (skip.includes(name) ? [] : [[name, fields[at] ?? ''] as const])),
  )
}

/** Edge list: a CSV or TSV file with a line of column names, one edge a row. The nodes are the ends. */
export function readEdges(path: string): GraphRecords {
  const table = readRows(path)
  const { columns, rows } = table
  const [source, target] = (['source', 'target'] as const).map((end) =>
    ENDS[end].find((name) => columns.includes(name)),
  )
  if (source === undefined || target === undefined) {
    const names = Object.values(ENDS).map((all) => all.join(', '))
    const message = `its first line names no column of sources (${names[0]}) or none of targets (${names[1]}): ${JSON.stringify(columns.slice(0, 8).join(','))}`
    return { nodes: [], edges: [], diagnostics: [{ file: path, line: 1, message }] }
  }
  const at = (fields: readonly string[], column: string) => (fields[columns.indexOf(column)] ?? '').trim()
  const edges = rows.map(({ fields, line }): EdgeRecord => {
    const attributes = attributesOf(table, fields, [source, target])
    return { source: at(fields, source), target: at(fields, target), attributes, line }
  })
  const { diagnostics } = table
  return { nodes: endsOf(edges), edges, diagnostics }
}

/** The ends of edges as nodes; a node is in the chunks of its edges. */
function endsOf(edges: readonly EdgeRecord[]): NodeRecord[] {
  const nodes = new Map<string, { readonly line: number; readonly cells: Set<string> }>()
  for (const { source, target, attributes, line } of edges)
    for (const id of [source, target]) {
      if (id === '') continue
      const node = nodes.get(id) ?? { line, cells: new Set<string>() }
      nodes.set(id, node)
      node.cells.add(chunksCell(attributes))
    }
  return [...nodes].map(([id, { line, cells }]) => ({ id, line, attributes: new Map(), cells: [...cells] }))
}

/**
 * Export of Neo4j: `apoc.export.json.all` (one record a line, or a list of them) or `apoc.export.csv.all` (one table of
 * nodes and relationships).
 */
export function readNeo4j(path: string): GraphRecords {
  return withChunkNodes(extname(plainName(path)) === '.csv' ? readApocCsv(path) : readApocJson(path))
}

function readApocCsv(path: string): GraphRecords {
  const table = readRows(path)
  const { columns, rows, diagnostics } = table
  const missing = ['_id', '_labels', '_start', '_end', '_type'].filter((name) => !columns.includes(name))
  if (missing.length > 0) {
    const message = `is no table of apoc.export.csv.all: it has no column ${missing.join(', ')}`
    return { nodes: [], edges: [], diagnostics: [{ file: path, line: 1, message }] }
  }
  const nodes: NodeRecord[] = []
  const edges: EdgeRecord[] = []
  for (const { fields, line } of rows) {
    const at = (name: string) => fields[columns.indexOf(name)] ?? ''
    const attributes = attributesOf(table, fields, ['_id', '_labels', '_start', '_end', '_type'])
    if (at('_start') === '') {
      attributes.set(
        'entity_type',
        attributes.get('entity_type') || at('_labels').split(':').filter(Boolean).join(', '),
      )
      nodes.push({ id: at('_id'), attributes, line })
    } else {
      attributes.set('relation', at('_type'))
      edges.push({ source: at('_start'), target: at('_end'), attributes, line })
    }
  }
  return { nodes, edges, diagnostics }
}

/** Labels of nodes that hold a chunk's text: LangChain and Neo4j's own builders store it beside the entities. */
const CHUNK_LABEL = /(?:^|, *|:)_*(?:chunk|document|textunit|text_unit|passage)_*(?=$|, *|:)/i

/**
 * Nodes of chunks become chunks of the entities that they are related to. Entities without a name take their property `id`, as
 * LangChain writes them.
 */
function withChunkNodes({ nodes, edges, ...rest }: GraphRecords): GraphRecords {
  const chunkOf = new Map<string, string>()
  const texts = new Map<string, string>()
  for (const { id, attributes } of nodes) {
    const text = attributes.get('text') ?? ''
    if (text === '' || !CHUNK_LABEL.test(attributes.get('entity_type') ?? '')) continue
    const own = attributes.get('id') || id
    chunkOf.set(id, own)
    texts.set(own, text)
  }
  const chunksOf = new Map<string, string[]>()
  let relationshipsOfChunks = 0
  const between = edges.filter(({ source, target }) => {
    const [from, to] = [chunkOf.get(source), chunkOf.get(target)]
    if (from === undefined && to === undefined) return true
    if (from !== undefined && to !== undefined) relationshipsOfChunks++
    else {
      const entity = from === undefined ? source : target
      const known = chunksOf.get(entity) ?? []
      chunksOf.set(entity, known)
      known.push((from ?? to) as string)
    }
    return false
  })
  const entities = nodes.flatMap((node): NodeRecord[] => {
    if (chunkOf.has(node.id)) return []
    const attributes = new Map(node.attributes)
    const isNamed = NAMES.some((name) => attributes.get(name))
    if (!isNamed && attributes.get('id')) attributes.set('name', attributes.get('id') as string)
    const chunks = chunksOf.get(node.id)
    if (!chunks) return [{ ...node, attributes }]
    return [{ ...node, attributes, cells: [chunksCell(attributes), JSON.stringify(chunks)] }]
  })
  if (texts.size === 0) return { nodes: entities, edges: between, ...rest }
  return { nodes: entities, edges: between, ...rest, texts, notices: { relationshipsOfChunks } }
}

interface ApocRecord {
  readonly type?: unknown
  readonly id?: unknown
  readonly label?: unknown
  readonly labels?: unknown
  readonly properties?: Readonly<Record<string, unknown>> | null
  readonly start?: { readonly id?: unknown } | null
  readonly end?: { readonly id?: unknown } | null
}

function readApocJson(path: string): GraphRecords {
  const text = readPlainOrGzip(path).trim()
  const diagnostics: Diagnostic[] = []
  const records: { readonly record: ApocRecord; readonly line: number }[] = []
  const parse = (part: string, line: number) => {
    const { value, diagnostic } = { value: undefined, ...parseJson(part) }
    if (diagnostic) diagnostics.push({ file: path, line, message: diagnostic.message })
    for (const record of [value].flat()) {
      if (typeof record === 'object' && record !== null) records.push({ record: record as ApocRecord, line })
    }
  }
  if (text.startsWith('[')) parse(text, 1)
  else for (const [at, line] of text.split('\n').entries()) if (line.trim() !== '') parse(line, at + 1)
  const nodes: NodeRecord[] = []
  const edges: EdgeRecord[] = []
  for (const { record, line } of records) {
    const { type, id, label, labels, properties, start, end } = record
    const attributes = new Map(
      Object.entries(properties ?? {}).map(([name, value]) => [name.toLowerCase(), words(value)] as const),
    )
    if (type === 'node') {
      if (!attributes.get('entity_type')) attributes.set('entity_type', [labels ?? []].flat().join(', '))
      nodes.push({ id: words(id), attributes, line })
    } else if (type === 'relationship') {
      attributes.set('relation', words(label))
      edges.push({ source: words(start?.id), target: words(end?.id), attributes, line })
    } else
      diagnostics.push({
        file: path,
        line,
        message: 'is neither a "node" nor a "relationship" of apoc.export.json',
      })
  }
  return { nodes, edges, diagnostics }
}

function words(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
