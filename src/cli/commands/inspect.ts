import { UserError } from '../../errors.ts'
import { type InspectedGraph, inspectGraphs } from '../../library/inspect-graph.ts'
import { openConfigs } from '../../library/open-config.ts'
import { percent, quantity } from '../../report/numbers.ts'
import { printableText, terminalTable } from '../../report/terminal.ts'
import { ALLOW_EMPTY, defineCommand, SET, STORE } from '../command.ts'
import { CONFIG, configFile } from '../config-file.ts'

export const inspect = defineCommand({
  args: { config: CONFIG },
  options: {
    set: SET,
    allowEmpty: ALLOW_EMPTY,
    store: STORE,
    hops: {
      kind: 'integer',
      value: 'N',
      min: 0,
      max: 5,
      default: 2,
      summary: 'maximum distance from the entities that a query names',
    },
  },
  examples: ['touchstone inspect configs/quickstart.yaml --hops 1'],
  interrupted: 'what is prepared is kept',
  async run({ args, options, io }) {
    const { opened } = await openConfigs(io, configFile(io.folder, args.config), options)
    const found: { readonly dataset: string; readonly graphs: readonly InspectedGraph[] }[] = []
    for (const { dataset, open } of opened)
      found.push({ dataset, graphs: await inspectGraphs(open, options.hops, io.progress) })
    if (found.every(({ graphs }) => graphs.length === 0))
      throw new UserError('the config has no graph; name one in `prepare.graph`, as `graph: [rules, titles]`')
    if (options.json) return io.json({ datasets: found })
    for (const { dataset, graphs } of found)
      for (const graph of graphs) {
        io.out(`${dataset}, graph of ${graph.extractors.join(', ')}\n`)
        io.out(terminalTable(rowsOf(graph), { columns: io.columns, right: [1] }))
        io.out(`\n${largest(graph)}\n`)
      }
  },
})

function rowsOf({ statistics, shape, reach, seconds }: InspectedGraph): string[][] {
  const { entities, relationships, components, largestComponent, isolatedEntities } = statistics
  const { isolatedChunks, chunks, entitiesPerChunk } = statistics
  const rows = [
    ['entities', quantity(entities)],
    ['relationships', quantity(relationships)],
    ['components', quantity(components)],
    ['entities in the largest component', quantity(largestComponent)],
    ['entities without a relationship', quantity(isolatedEntities)],
    ['chunks', quantity(chunks)],
    ['chunks without an entity', quantity(isolatedChunks)],
    ['entities per chunk', quantity(entitiesPerChunk)],
    ['chunks that relationships lead to from a chunk', quantity(shape.neighborsPerChunk)],
    ...shape.degrees.map(({ from, to, entities }) => [
      `entities with ${from === to ? from : `${from} to ${to}`} neighbours`,
      quantity(entities),
    ]),
    ['groups of entities whose names differ by signs or letter case', quantity(shape.duplicates.length)],
  ]
  if (reach.queries > 0) {
    rows.push(['queries that name an entity', `${percent(reach.linked)} %`])
    for (const { hops, gold, chunks } of reach.byHops)
      rows.push([
        `gold within ${hops} ${hops === 1 ? 'hop' : 'hops'} of named entities (chunks reached: ${percent(chunks)} %)`,
        `${percent(gold)} %`,
      ])
  }
  if (seconds !== undefined) rows.push(['seconds to build', quantity(seconds)])
  return rows
}

/** Groups of duplicates that are named. */
const NAMED = 5

function largest({ shape }: InspectedGraph): string {
  const names = shape.largest.map(({ name, neighbors }) => `${name} (${quantity(neighbors)})`)
  const groups = shape.duplicates.slice(0, NAMED).map((group) => group.join(' = '))
  const lines = [`most neighbours: ${names.join(', ')}`]
  if (groups.length > 0) lines.push(`alike: ${groups.join('; ')}`)
  return lines.map(printableText).join('\n')
}
