import { countsOf } from '../maps.ts'
import { linkedClusters, numberClusters } from '../statistics/moments.ts'
import type { JudgedQuery, SharedGold } from '../types.ts'
import { relevantSpans, spanId } from './collapse.ts'
import type { Dataset } from './types.ts'

type Judged = Pick<Dataset, 'queries' | 'qrels' | 'spans' | 'judgedUnit'>

/**
 * Cluster of each query, from 0. `gold` joins queries that share a relevant id, also over others; `document` those with gold in
 * the same document; another name is a field of the metadata, or `category`. A query without one is a cluster of its own.
 * `documentsOf` names the documents of a judged chunk.
 */
export function clusterQueries(
  by: string,
  { queries, qrels, spans, judgedUnit }: Judged,
  documentsOf?: (chunk: string) => readonly string[],
): Int32Array {
  if (by !== 'gold' && by !== 'document') return numberClusters(queries.map((query) => fieldOf(query, by)))
  return linkedClusters(
    queries.map(({ id }) =>
      judgedUnit === 'span'
        ? relevantSpans(spans.get(id)).map((span) => (by === 'gold' ? spanId(span) : span.documentId))
        : [...(qrels.get(id) ?? [])].flatMap(([judged, grade]) => {
            if (grade < 1) return []
            return by === 'document' && documentsOf ? documentsOf(judged) : [judged]
          }),
    ),
  )
}

/** A query's category, or the field of its metadata as JSON; null where it has none. */
export function fieldOf({ category, metadata }: JudgedQuery, field: string): string | null {
  if (field === 'category') return category
  const value = metadata[field]
  return value === undefined || value === null ? null : JSON.stringify(value)
}

/** Shares of queries below which shared gold changes no verdict. */
const FEW = 0.1

/** The queries that share gold; null where they are few. Spans are looked at by their documents. */
export function sharedGold(dataset: Judged): SharedGold | null {
  const by = dataset.judgedUnit === 'span' ? 'document' : 'gold'
  const groups = [...countsOf(clusterQueries(by, dataset)).values()].filter((size) => size > 1)
  const queries = groups.reduce((sum, size) => sum + size, 0)
  if (queries === 0 || queries < FEW * dataset.queries.length) return null
  return { by, queries, groups: groups.length, largest: groups.reduce((most, size) => Math.max(most, size)) }
}
