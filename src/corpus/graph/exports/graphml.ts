import { writeFileSync } from 'node:fs'
import { defineExport } from './define.ts'
import { type Network, type NetworkEdge, networkOf, networkReads, SEPARATOR } from './network.ts'
import { xmlText } from './xml.ts'

type Value = string | number
type Attributes = Readonly<Record<string, Value>>

/** GraphML (graphml.graphdrawing.org) of named nodes and edges, each with attributes. Every node has all node attributes. */
export function graphmlText(
  edgeDefault: 'directed' | 'undirected',
  nodes: readonly (readonly [name: string, Attributes])[],
  edges: readonly (readonly [source: string, target: string, Attributes])[],
): string {
  const nodeKeys = keysOf('node', 'n', nodes[0]?.[1] ?? {})
  const edgeKeys = keysOf('edge', 'e', edges[0]?.[2] ?? {})
  const data = (keys: readonly Key[], attributes: Attributes) =>
    keys.map(({ id, name }) => `<data key="${id}">${xmlText(String(attributes[name]))}</data>`).join('')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...[...nodeKeys, ...edgeKeys].map(
      ({ id, name, type, of }) => `<key id="${id}" for="${of}" attr.name="${name}" attr.type="${type}"/>`,
    ),
    `<graph edgedefault="${edgeDefault}">`,
    ...nodes.map(([name, attributes]) => `<node id="${xmlText(name)}">${data(nodeKeys, attributes)}</node>`),
    ...edges.map(
      ([source, target, attributes]) =>
        `<edge source="${xmlText(source)}" target="${xmlText(target)}">${data(edgeKeys, attributes)}</edge>`,
    ),
    '</graph>',
    '</graphml>\n',
  ].join('\n')
}

interface Key {
  readonly id: string
  readonly name: string
  readonly type: 'string' | 'double' | 'long'
  readonly of: 'node' | 'edge'
}

/** Attributes that are whole numbers. */
const WHOLE = new Set(['degree', 'created_at'])

function keysOf(of: Key['of'], prefix: string, attributes: Attributes): Key[] {
  return Object.entries(attributes).map(([name, value], index) => ({
    ...{ id: `${prefix}${index}`, name, of },
    type: typeof value === 'string' ? 'string' : WHOLE.has(name) ? 'long' : 'double',
  }))
}

export const nodeAttributes = ({ name, type, description, chunks }: Network['nodes'][number]) => ({
  entity_id: name,
  entity_type: type,
  description,
  source_id: chunks.join(SEPARATOR),
})

export const edgeAttributes = ({ weight, description, keywords, chunks }: NetworkEdge) => ({
  weight,
  description,
  keywords,
  source_id: chunks.join(SEPARATOR),
})

/** A directed graph; nodes are named, and attributes are called as in LightRAG's GraphML. */
export const graphml = defineExport({
  name: 'graphml',
  summary: 'GraphML, directed, with the attribute names of LightRAG',
  folder: false,
  reads: networkReads,
  write(path, opened) {
    const { nodes, edges } = networkOf(opened)
    const text = graphmlText(
      'directed',
      nodes.map((node) => [node.name, { ...nodeAttributes(node), degree: node.degree }]),
      edges.map((edge) => [
        edge.source,
        edge.target,
        { ...edgeAttributes(edge), relation: edge.relations.join(', ') },
      ]),
    )
    writeFileSync(path, text)
    return []
  },
})
