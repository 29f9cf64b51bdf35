import type { GraphDescription } from '../../results/graphs.ts'
import { htmlTable } from '../components/html-table.tsx'
import { graphNames, graphRows } from '../graph-rows.ts'
import { plural } from '../numbers.ts'
import type { PageSection } from './section.tsx'

export function graphView(graphs: readonly GraphDescription[]): PageSection | null {
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
