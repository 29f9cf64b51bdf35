import { defineMetric } from './define.ts'

export const ENTITY_METRICS = [
  /**
   * entity_recall@k = share of the query's entities that a text of the first k names, as whole words after SQuAD's
   * normalisation. They are the names in `entities` of its metadata, else the ends of its `path`. Queries without do not count.
   */
  defineMetric({
    name: 'entity_recall',
    summary:
      "share of the query's entities (`entities` or `path` of its metadata) that the first k texts name",
    args: {},
    needs: 'entities',
    score: ({ judged: { entities } }, { k }) => shareWithin(entities, k),
  }),

  /**
   * path_recall@k = share of the facts of the query's path whose ends are both named by one text of the first k. The path is a
   * list of [subject, relation, object] or [subject, object] in `path` of its metadata. Queries without do not count.
   */
  defineMetric({
    name: 'path_recall',
    summary: "share of the facts in the query's `path` of which one of the first k texts names both ends",
    args: {},
    needs: 'entities',
    score: ({ judged: { facts } }, { k }) => shareWithin(facts, k),
  }),
]

/** Share of first ranks from 1 to k; 0 is not found. NaN without any. */
function shareWithin(ranks: Int32Array | undefined, k: number): number {
  if (!ranks || ranks.length === 0) return Number.NaN
  return ranks.reduce((count, rank) => count + (rank > 0 && rank <= k ? 1 : 0), 0) / ranks.length
}
