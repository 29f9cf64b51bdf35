import { defineMetric, REL } from './define.ts'
import { costs, EVIDENCE, FULL_BUDGET } from './view.ts'

export const CONTEXT_METRICS = [
  /**
   * answer_in_context@k = 1 if the text of any of the first k contains an answer of the query. Queries without an answer
   * that a text could contain (yes and no are none) do not count.
   */
  defineMetric({
    name: 'answer_in_context',
    summary: '1 if any of the first k texts contains an answer',
    args: {},
    needs: 'contains',
    score({ judged: { contains } }, { k }) {
      if (!contains) return Number.NaN
      return contains.subarray(0, k).includes(1) ? 1 : 0
    },
  }),

  /**
   * contamination@k = share of the first k whose metadata field (`source`, or another by `contamination(field=book)@k`)
   * differs from the query's; queries without that field do not count.
   */
  defineMetric({
    name: 'contamination',
    summary: 'share of the first k that come from a wrong source; low is good',
    args: { field: { summary: 'the metadata field that names the source', default: 'source', free: true } },
    needs: 'foreign',
    better: 'lower',
    score({ judged }, { k, args }) {
      const first = judged.foreign?.[String(args.field)]?.subarray(0, k)
      if (!first) return Number.NaN
      return first.length === 0 ? 0 : first.reduce((wrong, flag) => wrong + flag, 0) / first.length
    },
  }),

  /** tokens@k = o200k tokens of what is sent with k chunks: title and text of the first k, and their evidence. */
  defineMetric({
    name: 'tokens',
    summary: 'tokens of the first k chunks and of their evidence; low is good',
    args: {},
    needs: 'context',
    bounded: false,
    least: 0,
    better: 'lower',
    score: ({ judged: { firstTokens, evidenceTokens = 0 } }, { k }) =>
      firstTokens ? firstTokens[k - 1] + evidenceTokens : 0,
  }),

  /**
   * Area under the recall-token curve from 0 to a budget B, divided by B: with t the tokens up to and including a label,
   *
   *     recall_area = sum over relevant of max(0, B - t) / (B * relevant)
   */
  defineMetric({
    name: 'recall_area',
    summary: 'area under the recall-token curve up to a budget (4,000 tokens by default), normalised to 1',
    cutoff: 'optional',
    cutoffIn: 'tokens',
    args: { rel: REL, evidence: EVIDENCE },
    needs: 'tokens',
    score(view, { budget, args }) {
      if (view.relevant === 0) return 0
      const whole = budget ?? FULL_BUDGET
      let area = 0
      for (const cost of costs(view, args.evidence)) area += Math.max(0, whole - cost)
      return area / (whole * view.relevant)
    },
  }),
]

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
