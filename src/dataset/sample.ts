import { makeSplit } from '../statistics/tuned.ts'
import type { JudgedQuery } from '../types.ts'
import { hashDataset } from './hash.ts'
import type { Dataset, SampleSettings } from './types.ts'

/** The dataset with a sample of its queries, a share of each category. The documents stay, so that indexes are shared. */
export function sampleQueries(dataset: Dataset, settings: SampleSettings): Dataset {
  const sampled = withQueries(dataset, picked(dataset.queries, settings))
  const { documentsHash, queries } = sampled
  return {
    ...sampled,
    hash: hashDataset(documentsHash, queries, sampled),
    sample: { ...settings, queries: queries.length, of: dataset.queries.length },
  }
}

/** The dataset with these queries and their gold; its hash stays. */
export function withQueries(dataset: Dataset, queries: Dataset['queries']): Dataset {
  const ids = new Set(queries.map(({ id }) => id))
  const only = <T>(byQuery: ReadonlyMap<string, T>) => new Map([...byQuery].filter(([id]) => ids.has(id)))
  const { qrels, spans, groups } = dataset
  return { ...dataset, queries, qrels: only(qrels), spans: only(spans), groups: only(groups) }
}

function picked(all: readonly JudgedQuery[], { queries, seed }: SampleSettings): readonly JudgedQuery[] {
  if (queries >= all.length) return all
  const parts = makeSplit({
    ids: all.map(({ id }) => id),
    categories: all.map(({ category }) => category),
    dev: queries / all.length,
    seed,
  })
  return all.filter((_, index) => parts[index] === 0)
}
