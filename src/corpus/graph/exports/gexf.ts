import { writeFileSync } from 'node:fs'
import { defineExport } from './define.ts'
import { networkOf, networkReads, SEPARATOR } from './network.ts'
import { xmlText } from './xml.ts'

const NODE = ['type', 'description', 'chunks'] as const
const EDGE = ['description', 'keywords', 'relation', 'chunks'] as const

/** GEXF 1.2 (gexf.net), which Gephi, networkx and graphology read: directed, nodes by name. */
export const gexf = defineExport({
  name: 'gexf',
  summary: 'GEXF 1.2, directed, as Gephi reads it',
  folder: false,
  reads: networkReads,
  write(path, opened) {
    const { nodes, edges } = networkOf(opened)
    const attributes = (of: string, names: readonly string[]) => [
      `<attributes class="${of}">`,
      ...names.map((name) => `<attribute id="${name}" title="${name}" type="string"/>`),
      '</attributes>',
    ]
    const values = (given: Readonly<Record<string, string>>) =>
      `<attvalues>${Object.entries(given)
        .map(([name, value]) => `<attvalue for="${name}" value="${xmlText(value)}"/>`)
        .join('')}</attvalues>`
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">',
      '<graph mode="static" defaultedgetype="directed">',
      ...attributes('node', NODE),
      ...attributes('edge', EDGE),
      '<nodes>',
      ...nodes.map(({ name, type, description, chunks }) => {
        const own = values({ type, description, chunks: chunks.join(SEPARATOR) })
        return `<node id="${xmlText(name)}" label="${xmlText(name)}">${own}</node>`
      }),
      '</nodes>',
      '<edges>',
      ...edges.map(({ source, target, weight, description, keywords, relations, chunks }, row) => {
        const own = values({
          ...{ description, keywords },
          relation: relations.join(', '),
          chunks: chunks.join(SEPARATOR),
        })
        return `<edge id="${row}" source="${xmlText(source)}" target="${xmlText(target)}" weight="${weight}">${own}</edge>`
      }),
      '</edges>',
      '</graph>',
      '</gexf>\n',
    ]
    writeFileSync(path, lines.join('\n'))
    return []
  },
})
