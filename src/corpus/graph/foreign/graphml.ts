import { createRequire } from 'node:module'
import type { Diagnostic } from '../../../errors.ts'
import { readPlainOrGzip } from '../../../store/input.ts'
import { xmlProblem } from '../../../text/xml.ts'
import type { EdgeRecord, GraphRecords, NodeRecord } from './records.ts'

type Attributes = Readonly<Record<string, string>>

interface Open {
  readonly kind: 'node' | 'edge'
  readonly given: Attributes
  readonly attributes: Map<string, string>
  readonly line: number
}

/** Label of a node or an edge as yEd writes it, inside the data of its shape. */
const YED_LABEL = /^y:(?:Node|Edge)Label$/

/**
 * Nodes and edges of GraphML (http://graphml.graphdrawing.org), as networkx, igraph, yEd and Gephi write it. The parser resolves
 * no entity that the file declares.
 */
export function readGraphml(path: string): GraphRecords {
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
  let isRooted = false
  // Loaded with the first file: the package has thirty modules.
  const { Parser } = createRequire(import.meta.url)('htmlparser2') as typeof import('htmlparser2')
  const parser = new Parser(
    {
      onopentag(name, given) {
        const line = () => lineAt(parser.startIndex)
        if (name === 'graphml') isRooted = true
        else if (name === 'key') {
          const { id = '', for: kind = 'all' } = given
          const attribute = (given['attr.name'] ?? id).toLowerCase()
          names.set(`${kind} ${id}`, attribute)
          defaults.push({ name: attribute, kind, value: '' })
        } else if (name === 'default') inDefault = true
        else if (name === 'node' || name === 'edge') {
          open = { kind: name, given, attributes: new Map(), line: line() }
          opened.push(open)
        } else if (name === 'hyperedge') notices.hyperedges++
        else if (YED_LABEL.test(name)) label = ''
        else if (name === 'data' && open) value = { key: given.key ?? '', text: '' }
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
  return { nodes, edges, diagnostics, notices }
}

function countingLines(text: string): (offset: number) => number {
  let line = 1
  let next = text.indexOf('\n')
  return (offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf('\n', next + 1)) line++
    return line
  }
}
