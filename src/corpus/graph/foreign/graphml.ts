import { createRequire } from 'node:module'
import { type Diagnostic, fewOfEachKind, UserError } from '../../../errors.ts'
import { quoted } from '../../../models/embedder.ts'
import { readPlainOrGzip } from '../../../store/input.ts'
import { printedLists } from '../../../text/json.ts'
import { commaHint, readNumber } from '../../../text/numbers.ts'
import { xmlProblem } from '../../../text/xml.ts'
import { type ForeignGraph, refusePickle } from './graph.ts'

/** Attributes are by lower-case name. */
interface GraphRecord {
  readonly attributes: ReadonlyMap<string, string>
  readonly line: number
}

interface NodeRecord extends GraphRecord {
  readonly id: string
}

interface EdgeRecord extends GraphRecord {
  readonly source: string
  readonly target: string
}

interface Open {
  readonly kind: 'node' | 'edge'
  readonly given: Readonly<Record<string, string>>
  readonly attributes: Map<string, string>
  readonly line: number
}

/**
 * Nodes and edges of GraphML (http://graphml.graphdrawing.org), as networkx, igraph and Gephi write it. The parser
 * resolves no entity that the file declares.
 */
function parseGraphml(path: string) {
  const text = readPlainOrGzip(path)
  const lineAt = countingLines(text)
  const names = new Map<string, string>()
  const defaults: { readonly name: string; readonly kind: string; value: string }[] = []
  const nodes: NodeRecord[] = []
  const edges: EdgeRecord[] = []
  const diagnostics: Diagnostic[] = []
  const problem = xmlProblem(text)
  if (problem) return { nodes, edges, diagnostics: [{ file: path, ...problem }] }
  // A node may hold a graph.
  const opened: Open[] = []
  let open: Open | undefined
  let value: { readonly key: string; text: string } | undefined
  let inDefault = false
  let isRooted = false
  // Loaded with the first file: the package has thirty modules.
  const { Parser } = createRequire(import.meta.url)('htmlparser2') as typeof import('htmlparser2')
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const line = () => lineAt(parser.startIndex)
        if (name === 'graphml') isRooted = true
        else if (name === 'key') {
          const { id = '', for: kind = 'all' } = attributes
          const attribute = (attributes['attr.name'] ?? id).toLowerCase()
          names.set(`${kind} ${id}`, attribute)
          defaults.push({ name: attribute, kind, value: '' })
        } else if (name === 'default') inDefault = true
        else if (name === 'node' || name === 'edge') {
          open = { kind: name, given: attributes, attributes: new Map(), line: line() }
          opened.push(open)
        } else if (name === 'hyperedge')
          diagnostics.push({ file: path, line: line(), message: 'is a hyperedge; write it as edges' })
        else if (name === 'data' && open) value = { key: attributes.key ?? '', text: '' }
      },
      ontext(data) {
        if (value) value.text += data
        else if (inDefault && defaults.length > 0) defaults[defaults.length - 1].value += data.trim()
      },
      onclosetag(name) {
        if (name === 'default') inDefault = false
        else if (name === 'data' && value && open) {
          const { kind, attributes } = open
          const key = names.get(`${kind} ${value.key}`) ?? names.get(`all ${value.key}`) ?? value.key
          attributes.set(key.toLowerCase(), value.text)
          value = undefined
        } else if (open && name === open.kind) {
          const { kind, given, attributes, line } = open
          for (const attribute of defaults)
            if (
              (attribute.kind === kind || attribute.kind === 'all') &&
              attribute.value !== '' &&
              !attributes.has(attribute.name)
            )
              attributes.set(attribute.name, attribute.value)
          if (kind === 'node') nodes.push({ id: given.id ?? '', attributes, line })
          else edges.push({ source: given.source ?? '', target: given.target ?? '', attributes, line })
          opened.pop()
          open = opened.at(-1)
        }
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  if (!isRooted) diagnostics.push({ file: path, message: 'is no GraphML file: it has no element <graphml>' })
  return { nodes, edges, diagnostics }
}

function countingLines(text: string): (offset: number) => number {
  let line = 1
  let next = text.indexOf('\n')
  return (offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line++
    return line
  }
}

/** Attributes by role; the first one that is there counts. */
const ROLES = {
  name: ['entity_id', 'entity_name', 'name', 'title', 'label'],
  type: ['entity_type', 'type', 'labels', 'category'],
  description: ['description', 'desc', 'summary'],
  chunks: ['source_id', 'chunk_ids', 'chunk_id', 'text_unit_ids', 'chunks', 'chunk'],
  relation: ['relation', 'relationship', 'predicate', 'type', 'label', 'kind'],
  keywords: ['keywords'],
  weight: ['weight'],
} as const

/**
 * Reads a graph in GraphML; `clean` is applied to every value. Throws a UserError with the first few of each kind of
 * error.
 */
export function readGraphml(file: string, clean = (text: string) => text): ForeignGraph {
  refusePickle(file)
  const { diagnostics, ...records } = parseGraphml(file)
  const wrong = (line: number, message: string) => diagnostics.push({ file, line, message })
  const value = (record: GraphRecord, role: keyof typeof ROLES) => clean(firstOf(record, role))
  const lines = new Map<string, number>()
  const names = new Map<string, string>()
  for (const node of records.nodes) {
    const first = lines.get(node.id)
    if (node.id === '') wrong(node.line, 'a node has no id')
    else if (first !== undefined) wrong(node.line, `the node ${quoted(node.id)} is already at line ${first}`)
    lines.set(node.id, node.line)
    names.set(node.id, (value(node, 'name') || clean(node.id)).trim())
  }
  if (records.nodes.length === 0 && diagnostics.length === 0)
    diagnostics.push({ file, message: 'holds no node' })
  const relationships = records.edges.map((edge) => {
    if (edge.source === '' || edge.target === '') wrong(edge.line, 'an edge has no source or no target')
    const written = value(edge, 'weight').trim()
    const weight = written === '' ? 1 : (readNumber(written) ?? Number.NaN)
    if (!(weight >= 0))
      wrong(
        edge.line,
        `the weight of ${quoted(edge.source)} to ${quoted(edge.target)} is ${quoted(written)}, not a number of 0 or more${commaHint(written)}`,
      )
    return {
      source: names.get(edge.source) ?? clean(edge.source),
      target: names.get(edge.target) ?? clean(edge.target),
      relation: value(edge, 'relation'),
      keywords: value(edge, 'keywords'),
      description: value(edge, 'description'),
      chunks: idsIn(value(edge, 'chunks')),
      weight,
    }
  })
  if (records.nodes.every((node) => value(node, 'chunks') === '')) {
    const numbers = [...names.values()]
    if (diagnostics.length === 0 && numbers.every((name) => /^\d+$/.test(name)))
      diagnostics.push({
        file,
        message: `names its nodes by numbers (the first: ${quoted(numbers[0])}), which cannot be looked for in the texts; give each its name (${ROLES.name.join(', ')}) or its chunks (${ROLES.chunks.join(', ')})`,
      })
  }
  if (diagnostics.length > 0) throw new UserError(fewOfEachKind(diagnostics))
  const entities = records.nodes.map((node) => ({
    name: names.get(node.id) as string,
    type: value(node, 'type'),
    description: value(node, 'description'),
    chunks: idsIn(value(node, 'chunks')),
  }))
  const unread = records.edges.some((edge) => value(edge, 'weight') !== '') ? [] : numbersOf(records.edges)
  return {
    file,
    entities,
    relationships,
    ...(unread.length > 0 && {
      remark: `every relationship has weight 1; number attributes that are not read: ${unread.join(', ')}; name the attribute of weights \`weight\``,
    }),
  }
}

/** Attributes without a role that have a number in every edge, except ids and times. */
function numbersOf(edges: readonly EdgeRecord[]): string[] {
  const named: readonly string[] = ['id', 'key', ...Object.values(ROLES).flat()]
  const [first] = edges
  return [...(first?.attributes.keys() ?? [])]
    .filter(
      (name) =>
        !named.includes(name) &&
        !/_(?:id|at)$/.test(name) &&
        edges.every(({ attributes }) => readNumber(attributes.get(name) ?? '') !== undefined),
    )
    .map((name) => `\`${name}\``)
}

function firstOf({ attributes }: GraphRecord, role: keyof typeof ROLES): string {
  return ROLES[role].map((name) => attributes.get(name) ?? '').find((value) => value !== '') ?? ''
}

/** Ids of a list in JSON, as Python prints it, or with LightRAG's `<SEP>`. */
function idsIn(text: string): string[] {
  // Whole numbers may have more digits than JSON's numbers hold.
  const list = /^\[[\d,\s]+\]$/.test(text) ? text.match(/\d+/g) : printedLists(text)
  const ids = Array.isArray(list) ? list.map(String) : text.split('<SEP>').map((id) => id.trim())
  return [...new Set(ids)].filter((id) => id !== '')
}
