import { sharedGold } from '../../dataset/clusters.ts'
import type { DatasetSummary } from '../../results/summary.ts'
import type { OpenExperiment } from '../plan/open.ts'
import type { Session } from '../shard/session.ts'

/** True if a query counts in retrieval means: it is answerable and has gold. */
export function countsIn({ queries, corpora }: Session, query: number): boolean {
  return queries[query].answerable && corpora[0].labels[query].units.length > 0
}

/** Dataset as the summary describes it. */
export function describeDataset(session: Session, { dataset }: OpenExperiment): DatasetSummary {
  const { queries, corpora } = session
  const shared = sharedGold(dataset)
  let [gold, missing, whole, judged] = [0, 0, 0, 0]
  queries.forEach((_, query) => {
    if (!countsIn(session, query)) return
    const { grades, units } = corpora[0].labels[query]
    const relevant = [...units].filter((_, label) => grades[label] >= 1)
    const absent = relevant.filter((unit) => unit < 0).length
    judged++
    gold += relevant.length
    missing += absent
    if (absent === 0) whole++
  })
  return {
    name: dataset.name,
    documents: dataset.documents,
    judgedUnit: dataset.judgedUnit,
    queries: queries.length,
    judged,
    unanswerable: queries.filter(({ answerable }) => !answerable).length,
    categories: categoriesOf(session).map((name) => ({
      name,
      queries: queries.filter(({ category }) => category === name).length,
    })),
    gold,
    missing,
    evaluability: judged > 0 ? whole / judged : 0,
    notices: dataset.notices,
    ...(shared && { shared }),
  }
}

/** Categories of the queries, in byte order. */
export function categoriesOf({ queries }: Session): string[] {
  return [...new Set(queries.flatMap(({ category }) => (category ? [category] : [])))].sort()
}
