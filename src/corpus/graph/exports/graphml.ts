import { writeFileSync } from 'node:fs'
import { derived } from '../../../store/artifact.ts'
import { wellFormed } from '../../../text/characters.ts'
import { chunkColumns } from '../../corpus.ts'
import type { Recipe } from '../../recipe.ts'
import { type Incidence, membersOf } from '../csr.ts'
import { graph } from '../extraction.ts'
import type { Graph } from '../graph.ts'

const NODE = {
  entity_id: 'string',
  entity_type: 'string',
  description: 'string',
  source_id: 'string',
  degree: 'long',
}
const EDGE = {
  weight: 'double',
  description: 'string',
  keywords: 'string',
  source_id: 'string',
  relation: 'string',
}

export const graphml = {
  name: 'graphml',
  summary: 'GraphML, directed, with the attribute names of LightRAG',
  folder: false,
  writer: (recipe: Recipe) =>
    derived(
      'graphml',
      { graph: graph(recipe), ids: chunkColumns(recipe, 'id') },
      ({ graph, ids }) =>
        (path: string): string[] => {
          writeFileSync(path, textOf(graph, ids))
          return []
        },
    ),
}

function textOf(
  { entities, relationships, chunksOfEntity, chunksOfRelationship }: Graph,
  ids: readonly { readonly id: string }[],
): string {
  const { names } = entities
  const chunksIn = (incidence: Incidence, row: number) =>
    Array.from(membersOf(incidence, row), (chunk) => ids[chunk].id).join('<SEP>')
  const keys = (of: string, types: Readonly<Record<string, string>>) =>
    Object.entries(types).map(
      ([name, type], at) => `<key id="${of[0]}${at}" for="${of}" attr.name="${name}" attr.type="${type}"/>`,
    )
  const data = (prefix: string, ...values: readonly (string | number)[]) =>
    values.map((value, at) => `<data key="${prefix}${at}">${xmlText(String(value))}</data>`).join('')
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...keys('node', NODE),
    ...keys('edge', EDGE),
    '<graph edgedefault="directed">',
    ...names.map((name, row) => {
      const chunks = chunksIn(chunksOfEntity, row)
      const values = data(
        'n',
        name,
        entities.types[row],
        entities.descriptions[row],
        chunks,
        entities.degrees[row],
      )
      return `<node id="${xmlText(name)}">${values}</node>`
    }),
    ...relationships.ids.map((_, row) => {
      const [source, target] = [relationships.sources[row], relationships.targets[row]].map((end) =>
        xmlText(names[end]),
      )
      const values = data(
        'e',
        relationships.weights[row],
        relationships.descriptions[row],
        relationships.keywords[row],
        chunksIn(chunksOfRelationship, row),
        relationships.relations[row].join(', '),
      )
      return `<edge source="${source}" target="${target}">${values}</edge>`
    }),
    '</graph>',
    '</graphml>\n',
  ]
  return lines.join('\n')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Text in an XML 1.0 document. Characters that XML cannot hold become U+FFFD. */
export function xmlText(text: string): string {
  return (
    wellFormed(text)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no form for these characters.
      .replace(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, '\uFFFD')
      .replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character])
  )
}
