import { relevantSpans } from './collapse.ts'
import type { Dataset } from './types.ts'

/** Notice about queries whose labels and spans are all of grade 0 or lower. */
export function barrenQueries({
  queries,
  qrels,
  spans,
}: Pick<Dataset, 'queries' | 'qrels' | 'spans'>): string[] {
  const barren = queries.filter(({ id }) => {
    const grades = [...(qrels.get(id)?.values() ?? [])]
    const isLabelled = grades.length > 0 || spans.has(id)
    return isLabelled && relevantSpans(spans.get(id)).length === 0 && grades.every((grade) => grade < 1)
  }).length
  return barren === 0
    ? []
    : [
        `${barren} queries have labels and none of grade 1 or higher: no retriever can find anything for them, and they count as 0`,
      ]
}
