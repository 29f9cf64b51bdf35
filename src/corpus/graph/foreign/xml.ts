import { createRequire } from 'node:module'
import type { Diagnostic } from '../../../errors.ts'
import { readPlainOrGzip } from '../../../store/input.ts'
import { xmlProblem } from '../../../text/xml.ts'
import { DIRECTION, type EdgeRecord, type GraphRecords, type NodeRecord } from './records.ts'

type Attributes = Readonly<Record<string, string>>

interface Open {
  readonly kind: 'node' | 'edge'
  readonly given: Attributes
  readonly attributes: Map<string, string>
  readonly line: number
}

/** Elements and attributes of the two formats. */
interface Dialect {
  readonly root: string
  /** Declares an attribute: its id, name, default and what has it. */
  readonly declares: string
  readonly declared: (
    given: Attributes,
    above: string,
  ) => { readonly id: string; readonly name: string; readonly kind: string }
  /** Element that holds an attribute's value: text, or the XML attribute `value`. */
  readonly holds: string
  readonly keyOf: (given: Attributes) => string | undefined
  /** XML attributes of a node or an edge that are attributes of the graph. */
  readonly direct: readonly string[]
}

/** GraphML (http://graphml.graphdrawing.org), as networkx, igraph, yEd and Gephi write it. */
const GRAPHML: Dialect = {
  root: 'graphml',
  declares: 'key',
  declared: (given) => ({
    id: given.id ?? '',
    name: given['attr.name'] ?? given.id ?? '',
    kind: given.for ?? 'all',
  }),
  holds: 'data',
  keyOf: ({ key }) => key,
  direct: [],
}

/** GEXF 1.1 to 1.3 (https://gexf.net). */
const GEXF: Dialect = {
  root: 'gexf',
  declares: 'attribute',
  declared: (given, above) => ({ id: given.id ?? '', name: given.title ?? given.id ?? '', kind: above }),
  holds: 'attvalue',
  keyOf: (given) => given.for ?? given.id,
  direct: ['label', 'weight', 'type', 'kind'],
}

export function readGraphml(path: string): GraphRecords {
  return readXml(path, GRAPHML)
}

export function readGexf(path: string): GraphRecords {
  return readXml(path, GEXF)
}

/** Label of a node or an edge as yEd writes it, inside the data of its shape. */
const YED_LABEL = /^y:(?:Node|Edge)Label$/

/** Nodes and edges of a graph in XML. The parser resolves no entity that the file declares. */
function readXml(path: string, dialect: Dialect): GraphRecords {
  const text = readPlainOrGzip(path)
  const lineAt = countingLines(text)
  const names = new Map<string, string>()
  const defaults: { readonly name: string; readonly kind: string; value: string }[] = []
  const nodes: NodeRecord[] = []
  const edges: EdgeRecord[] = []
  const diagnostics: Diagnostic[] = []
  const notices = { hyperedges: 0 }
  const problem = xmlProblem(text)
  if (problem) return { nodes, edges, diagnostics: [{ file: path, ...problem }], notices }
  // A group of yEd is a node that holds a graph.
  const opened: Open[] = []
  let open: Open | undefined
  let value: { readonly key: string; text: string } | undefined
  let label: string | undefined
  let inDefault = false
  let above = 'node'
  let isRooted = false
  // Loaded with the first file: the package has thirty modules.
  const { Parser } = createRequire(import.meta.url)('htmlparser2') as typeof import('htmlparser2')
  const parser = new Parser(
    {
      onopentag(name, given) {
        const line = () => lineAt(parser.startIndex)
        if (name === dialect.root) isRooted = true
        else if (name === 'attributes') above = given.class ?? 'node'
        else if (name === dialect.declares) {
          const { id, name, kind } = dialect.declared(given, above)
          names.set(`${kind} ${id}`, name.toLowerCase())
          defaults.push({ name: name.toLowerCase(), kind, value: '' })
        } else if (name === 'default') inDefault = true
        else if (name === 'node' || name === 'edge') {
          open = { kind: name, given, attributes: new Map(), line: line() }
          opened.push(open)
          for (const direct of dialect.direct)
            if (given[direct] !== undefined && !(direct === 'type' && DIRECTION.test(given.type)))
              open.attributes.set(direct, given[direct])
        } else if (name === 'hyperedge') notices.hyperedges++
        else if (YED_LABEL.test(name)) label = ''
        else if (name === dialect.holds && open)
          value = { key: dialect.keyOf(given) ?? '', text: given.value ?? '' }
      },
      ontext(data) {
        if (label !== undefined) label += data
        if (value) value.text += data
        else if (inDefault && defaults.length > 0) defaults[defaults.length - 1].value += data.trim()
      },
      onclosetag(name) {
        if (YED_LABEL.test(name) && label !== undefined) {
          if (open && label.trim() !== '' && !open.attributes.has('label'))
            open.attributes.set('label', label.trim())
          label = undefined
        } else if (name === 'default') inDefault = false
        else if (name === dialect.holds && value && open) {
          const { kind, attributes } = open
          const key = names.get(`${kind} ${value.key}`) ?? names.get(`all ${value.key}`) ?? value.key
          attributes.set(key.toLowerCase(), value.text)
          value = undefined
        } else if (open && name === open.kind) {
          const { kind, given, attributes, line } = open
          for (const one of defaults)
            if ((one.kind === kind || one.kind === 'all') && one.value !== '' && !attributes.has(one.name))
              attributes.set(one.name, one.value)
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
  if (!isRooted)
    diagnostics.push({
      file: path,
      message: `is no ${dialect.root.toUpperCase()} file: it has no element <${dialect.root}>`,
    })
  return { nodes, edges, diagnostics, notices }
}

/** Line of an offset; offsets ascend. */
function countingLines(text: string): (offset: number) => number {
  let line = 1
  let next = text.indexOf('\n')
  return (offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line++
    return line
  }
}
