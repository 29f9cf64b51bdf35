import type { GraphDescription } from '../../results/graphs.ts'
import { htmlTable } from '../components/html-table.tsx'
import { dollarsInWords, percent, plural, quantity } from '../numbers.ts'
import type { PageData, PageSection } from './section.tsx'

export function graphSection({ graphs }: PageData): PageSection | null {
  if (graphs.length === 0) return null
  const body = graphs.map((graph, at) => {
    const name = graph.extractors.join(', ')
    const { queries } = graph.reach
    return (
      <>
        {graphs.length > 1 && <h3>{name}</h3>}
        {htmlTable<[string, string]>({
          id: `graph-${at + 1}`,
          caption: `Graph of ${name}. Neighbours are entities with a relationship. Gold is counted as reached if a chunk with it has an entity within this many relationships of an entity that the query names as whole words${queries > 0 ? `; n = ${plural(queries, 'query', 'queries')}` : ''}.`,
          columns: [
            { head: 'count', left: true, html: ([words]) => words },
            { head: 'value', html: ([, value]) => value, value: ([, value]) => value },
          ],
          rows: graphRows(graph),
        })}
        {graphNames(graph).map((line) => (
          <p>
            {line[0].toUpperCase()}
            {line.slice(1)}.
          </p>
        ))}
      </>
    )
  })
  return { id: 'graph', title: 'Graph', body, charts: [] }
}

type Described = GraphDescription & { readonly seconds?: number }

export function graphRows({ statistics, shape, reach, cost, seconds }: Described): [string, string][] {
  const { entities, relationships, components, largestComponent, isolatedEntities } = statistics
  const { isolatedChunks, chunks, entitiesPerChunk } = statistics
  const rows: [string, string][] = [
    ['entities', quantity(entities)],
    ['relationships', quantity(relationships)],
    ['components', quantity(components)],
    ['entities in the largest component', quantity(largestComponent)],
    ['entities without a relationship', quantity(isolatedEntities)],
    ['chunks', quantity(chunks)],
    ['chunks without an entity', quantity(isolatedChunks)],
    ['entities per chunk', quantity(entitiesPerChunk)],
    ['chunks that relationships lead to from a chunk', quantity(shape.neighborsPerChunk)],
    ...shape.degrees.map(({ from, to, entities }): [string, string] => [
      `entities with ${from === to ? plural(from, 'neighbour') : `${from} to ${to} neighbours`}`,
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
  if (cost) {
    rows.push(['model calls to build', quantity(cost.calls)])
    rows.push([
      'tokens to build, input and output',
      `${quantity(cost.inputTokens)} + ${quantity(cost.outputTokens)}`,
    ])
    if (cost.dollars !== null) rows.push(['dollars to build', dollarsInWords(cost.dollars)])
  }
  if (seconds !== undefined) rows.push(['seconds to build', quantity(seconds)])
  return rows
}

const NAMED = 5

export function graphNames({ shape }: Pick<GraphDescription, 'shape'>): string[] {
  const names = shape.largest.map(({ name, neighbors }) => `${name} (${quantity(neighbors)})`)
  const groups = shape.duplicates.slice(0, NAMED).map((group) => group.join(' = '))
  return [
    `most neighbours: ${names.join(', ')}`,
    ...(groups.length > 0 ? [`alike: ${groups.join('; ')}`] : []),
  ]
}
