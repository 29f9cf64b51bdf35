import { makeSplit } from '../statistics/tuned.ts'
import type { JudgedQuery } from '../types.ts'
import { hashDataset } from './hash.ts'
import type { Dataset, SampleSettings } from './types.ts'

/** The dataset with a sample of its queries, a share of each category. The documents stay, so that indexes are shared. */
export function sampleQueries(dataset: Dataset, settings: SampleSettings): Dataset {
  const { documentsHash, judgedUnit } = dataset
  const queries = picked(dataset.queries, settings)
  const kept = new Set(queries.map(({ id }) => id))
  const only = <T>(byQuery: ReadonlyMap<string, T>) => new Map([...byQuery].filter(([id]) => kept.has(id)))
  const [qrels, spans, groups] = [only(dataset.qrels), only(dataset.spans), only(dataset.groups)]
  return {
    ...dataset,
    queries,
    qrels,
    spans,
    groups,
    hash: hashDataset(documentsHash, queries, { qrels, spans, groups, judgedUnit }),
    sample: { ...settings, queries: queries.length, of: dataset.queries.length },
  }
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
