import { extname } from 'node:path'
import type { Diagnostic } from '../../../errors.ts'
import { readPlainOrGzip } from '../../../store/input.ts'
import { parseCsv } from '../../../text/csv.ts'
import { isMap, parseJson } from '../../../text/json.ts'
import { chunksCell, type EdgeRecord, type GraphRecords, NAMES, type NodeRecord } from './records.ts'

/** Columns of an edge's two ends. A column `source` next to `subject` and `object` is where a triple is from. */
const ENDS = [
  ['source', 'target'],
  ['from', 'to'],
  ['subject', 'object'],
  ['head', 'tail'],
  ['start', 'end'],
  ['_start', '_end'],
  [':start_id', ':end_id'],
  ['src', 'dst'],
  ['src_id', 'tgt_id'],
] as const

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
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at)
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
  if (twice !== undefined)
    diagnostics.unshift({ file: path, line: 1, message: `has the column \`${twice}\` twice; rename one` })
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
  const ends = ENDS.find((pair) => pair.every((name) => columns.includes(name)))
  if (!ends) {
    const message = `its first line has no pair of columns for the ends of edges (${ENDS.map((pair) => pair.join(' and ')).join(', ')}): ${JSON.stringify(columns.slice(0, 8).join(','))}`
    return { nodes: [], edges: [], diagnostics: [{ file: path, line: 1, message }] }
  }
  const [source, target] = ends
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
 * Export of Neo4j: `apoc.export.json.all` (one record a line, a list of them, or one object of `nodes` and `rels`), rows of
 * Neo4j Browser, or `apoc.export.csv.all` (one table of nodes and relationships).
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

type Fields = Readonly<Record<string, unknown>>

function readApocJson(path: string): GraphRecords {
  const text = readPlainOrGzip(path).trim()
  const diagnostics: Diagnostic[] = []
  const records: { readonly record: Fields; readonly line: number }[] = []
  const take = (value: unknown, line: number) => {
    for (const record of [value].flat()) if (isMap(record)) records.push({ record, line })
  }
  const whole = parseJson(text)
  if (text.startsWith('[') && whole.diagnostic)
    diagnostics.push({ file: path, line: 1, message: whole.diagnostic.message })
  else if (!whole.diagnostic) take(whole.value, 1)
  else
    for (const [at, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue
      const { value, diagnostic } = { value: undefined, ...parseJson(line) }
      if (diagnostic) diagnostics.push({ file: path, line: at + 1, message: diagnostic.message })
      take(value, at + 1)
    }
  const nodes = new Map<string, NodeRecord>()
  const edges = new Map<string, EdgeRecord>()
  for (const { record, line } of records) {
    const parts = partsOf(record)
    for (const part of parts) {
      const { labels, properties } = part
      const attributes = new Map(
        Object.entries(isMap(properties) ? properties : {}).map(
          ([name, value]) => [name.toLowerCase(), words(value)] as const,
        ),
      )
      // Rows of Neo4j Browser repeat nodes and relationships.
      const isRow = part !== record
      if (isNodeOf(part)) {
        if (!attributes.get('entity_type')) attributes.set('entity_type', [labels ?? []].flat().join(', '))
        const id = idOf(part)
        nodes.set(isRow ? id : `${id} ${nodes.size}`, { id, attributes, line })
      } else {
        attributes.set('relation', words(part.label ?? part.type))
        const [source, target] = [part.start, part.end].map((end) =>
          isMap(end) ? words(end.id) : words(end),
        )
        edges.set(isRow ? idOf(part) : String(edges.size), { source, target, attributes, line })
      }
    }
    if (parts.length === 0)
      diagnostics.push({
        file: path,
        line,
        message: 'is neither a "node" nor a "relationship" of apoc.export.json',
      })
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], diagnostics }
}

/** Id of a node or a relationship, by which relationships name it. */
function idOf({ id, identity }: Fields): string {
  return words(id ?? identity)
}

/** Nodes and relationships of a record: itself, those of an object `{nodes, rels}`, or the columns of a row of Neo4j Browser. */
function partsOf(record: Fields): readonly Fields[] {
  if (record.type === 'node' || record.type === 'relationship') return [record]
  const lists = [record.nodes, record.rels ?? record.relationships].filter((list) => list !== undefined)
  const inside =
    lists.length > 0
      ? lists.flatMap((list) => (isMap(list) ? Object.values(list) : list))
      : Object.values(record)
  return inside
    .flat()
    .filter(isMap)
    .filter((part) => isNodeOf(part) || (part.start !== undefined && typeof part.type === 'string'))
}

function isNodeOf({ type, labels }: Fields): boolean {
  return type === 'node' || (type !== 'relationship' && labels !== undefined)
}

function words(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
