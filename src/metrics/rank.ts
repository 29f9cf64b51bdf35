import { discount } from './c-numbers.ts'
import { defineMetric, type Measure, type Metric, REL, type View } from './define.ts'
import { chunksWithinBudget, EVIDENCE, viewWithin } from './view.ts'

export const RANK_METRICS = [
  /** recall@k = relevant among the first k / all relevant (not min(k, relevant)), as trec_eval's. */
  defineMetric({
    name: 'recall',
    summary: 'share of the relevant results that are among the first k, or within a token budget',
    cutoffIn: 'ranks or tokens',
    args: { rel: REL, evidence: EVIDENCE },
    score: (view, measure) => (view.relevant === 0 ? 0 : withinCutoff(view, measure) / view.relevant),
  }),

  /** full_recall@k = 1 if every relevant one is among the first k: what a question of several hops needs. */
  defineMetric({
    name: 'full_recall',
    summary: '1 if every relevant result is among the first k, or within a token budget',
    cutoffIn: 'ranks or tokens',
    args: { rel: REL, evidence: EVIDENCE },
    score: (view, measure) => (view.relevant > 0 && withinCutoff(view, measure) === view.relevant ? 1 : 0),
  }),

  defineMetric({
    name: 'hit',
    aliases: ['success'],
    summary: '1 if a relevant result is among the first k',
    score: ({ found }, { k }) => (found[0] <= k ? 1 : 0),
  }),

  /** precision@k = relevant among the first k / k, however many were retrieved. Every member of an OR-group counts. */
  defineMetric({
    name: 'precision',
    aliases: ['p'],
    summary: 'share of the first k that are relevant; always divided by k',
    score: ({ members }, { k }) => viewWithin(members, k) / k,
  }),

  /** mrr = 1 / rank of the first relevant one; with a cutoff, 0 if it is below k. */
  defineMetric({
    name: 'mrr',
    aliases: ['recip_rank'],
    summary: 'reciprocal rank of the first relevant result',
    cutoff: 'optional',
    score: ({ found }, { k }) => (found[0] <= k ? 1 / found[0] : 0),
  }),

  /** map@k = sum over relevant found within k of (relevant so far / rank), divided by all relevant. */
  defineMetric({
    name: 'map',
    summary: 'mean of the precision at each relevant result, over all relevant results',
    cutoff: 'optional',
    score: averagePrecision,
  }),

  /**
   * The value of a query is its average precision; the mean is geometric, with values below 0.00001 raised to that.
   * Equal to trec_eval's within one ulp.
   */
  defineMetric({
    name: 'gm_map',
    summary: 'average precision with a geometric mean over queries; equal to trec_eval within the last bit',
    cutoff: 'none',
    mean: 'geometric',
    score: averagePrecision,
  }),

  /**
   * ndcg@k = DCG@k / DCG@k of the ideal ranking over all judged, with linear gain (the grade) and divisor log2(rank + 1)
   * (Järvelin and Kekäläinen, TOIS 20, 2002; trec_eval's ndcg_cut). A relevance threshold does not change gains.
   */
  defineMetric({
    name: 'ndcg',
    summary: 'discounted gain divided by that of the ideal ranking; linear gain',
    cutoff: 'optional',
    args: {},
    score({ ranks, grades, ideal }, { k }) {
      let best = 0
      const depth = Math.min(k, ideal.length)
      for (let index = 0; index < depth; index++) best += ideal[index] / discount(index + 1)
      if (best === 0) return 0
      let gained = 0
      for (let index = 0; index < ranks.length && ranks[index] <= k; index++)
        if (grades[index] > 0) gained += grades[index] / discount(ranks[index])
      return gained / best
    },
  }),

  defineMetric({
    name: 'rprec',
    summary: 'precision at R, the number of relevant results',
    cutoff: 'none',
    score: ({ found, relevant }) => (relevant === 0 ? 0 : viewWithin(found, relevant) / relevant),
  }),

  /**
   * bpref = 1/R * sum over relevant retrieved of 1 - min(n, R) / min(N, R), where n of the N judged non-relevant ones
   * are above it (Buckley and Voorhees, SIGIR 2004). Unjudged ones are ignored.
   */
  defineMetric({
    name: 'bpref',
    summary: 'order of judged relevant results above judged non-relevant ones; unjudged results do not count',
    cutoff: 'none',
    score({ grades, rel, relevant, nonrelevant }) {
      let above = 0
      let sum = 0
      for (const grade of grades) {
        if (grade < rel) above++
        else sum += above === 0 ? 1 : 1 - Math.min(above, relevant) / Math.min(nonrelevant, relevant)
      }
      return relevant === 0 ? 0 : sum / relevant
    },
  }),

  /**
   * Highest precision at any rank where recall is at least r, that is round(r * relevant) relevant ones. Where nothing
   * is left of a ranking, trec_eval prints nan; here it is 0.
   */
  defineMetric({
    name: 'iprec',
    aliases: ['iprec_at_recall'],
    summary: 'interpolated precision at a recall level, as iprec@0.10',
    cutoffIn: 'recall',
    score: (view, { level }) => interpolated(view, Math.round((level ?? 0) * view.relevant)),
  }),

  /**
   * Judged among the first k / min(k, retrieved), as ir_measures; 1 - hole@k where k were retrieved. A grade below 0
   * counts as judged here, though not in bpref and -J.
   */
  defineMetric({
    name: 'judged',
    summary: 'share of the first k that were judged',
    args: {},
    score({ judged: { ranks }, retrieved }, { k }) {
      let count = 0
      for (const rank of ranks) if (rank > 0 && rank <= k) count++
      return retrieved === 0 ? 0 : count / Math.min(k, retrieved)
    },
  }),

  /**
   * err@k = sum over ranks r of R(r) / r * product over s < r of (1 - R(s)), with R = (2^grade - 1) / 2^max
   * (Chapelle et al., CIKM 2009; max 4 as TREC's gdeval, which ir_measures calls).
   */
  defineMetric({
    name: 'err',
    summary: 'expected reciprocal rank at which a reader stops, by grades',
    cutoff: 'optional',
    args: { max: { summary: 'the highest grade of the scale', default: 4, min: 1, max: 30, integer: true } },
    score({ ranks, grades }, { k, args }) {
      const scale = 2 ** Number(args.max)
      let reads = 1
      let sum = 0
      for (let index = 0; index < ranks.length && ranks[index] <= k; index++) {
        const stops = Math.min(2 ** grades[index] - 1, scale) / scale
        sum += (stops * reads) / ranks[index]
        reads *= 1 - stops
      }
      return sum
    },
  }),

  /** rbp = (1 - p) * sum over relevant ranks r of p^(r - 1) (Moffat and Zobel, TOIS 27, 2008); p = 0.8 as in ir_measures. */
  defineMetric({
    name: 'rbp',
    summary: 'gain of a reader who continues to the next rank with probability p',
    cutoff: 'optional',
    args: { p: { summary: 'persistence', default: 0.8, min: 0, max: 1 }, rel: REL },
    score({ members }, { k, args }) {
      const p = Number(args.p)
      let sum = 0
      for (let index = 0; index < members.length && members[index] <= k; index++)
        sum += p ** (members[index] - 1)
      return (1 - p) * sum
    },
  }),

  /**
   * context_precision@k = mean of precision@r over the ranks r within k that hold a relevant one; 0 where none does. It
   * says whether relevant results are above the others, not whether all were found (RAGAS' measure, with gold as judge).
   */
  defineMetric({
    name: 'context_precision',
    summary: 'mean precision at the relevant results among the first k',
    score({ members }, { k }) {
      const count = viewWithin(members, k)
      return count === 0 ? 0 : sumOfPrecision(members, count) / count
    },
  }),
]

/** trec_eval 9's iprec: recall level r is the first trunc(r * relevant + 0.9). */
export const iprecRaised: Metric['score'] = (view, { level }) =>
  interpolated(view, Math.trunc((level ?? 0) * view.relevant + 0.9))

function interpolated({ found }: View, needed: number): number {
  let highest = 0
  for (let index = Math.max(0, needed - 1); index < found.length; index++)
    highest = Math.max(highest, (index + 1) / found[index])
  return highest
}

function withinCutoff(view: View, { k, budget, args }: Measure): number {
  return budget === null ? viewWithin(view.found, k) : chunksWithinBudget(view, budget, args.evidence)
}

/** Summed in rank order, divided once: trec_eval's bits. */
function averagePrecision({ found, relevant }: View, { k }: Measure): number {
  const count = viewWithin(found, k)
  return count > 0 ? sumOfPrecision(found, count) / relevant : 0
}

function sumOfPrecision(ranks: Int32Array, count: number): number {
  let sum = 0
  for (let index = 0; index < count; index++) sum += (index + 1) / ranks[index]
  return sum
}

/** A count: the mean over queries is their sum. */
const COUNT = { cutoff: 'none', args: {}, mean: 'sum', bounded: false } as const

export const SET_METRICS = [
  /** set_precision = relevant retrieved / retrieved; trec_eval's set_P. */
  defineMetric({
    name: 'set_precision',
    aliases: ['set_p'],
    summary: 'share of everything retrieved that is relevant',
    cutoff: 'none',
    score: ({ members, retrieved }) => (retrieved === 0 ? 0 : members.length / retrieved),
  }),

  defineMetric({
    name: 'set_recall',
    summary: 'share of the relevant results that were retrieved',
    cutoff: 'none',
    score: ({ found, relevant }) => (relevant === 0 ? 0 : found.length / relevant),
  }),

  defineMetric({ ...COUNT, name: 'num_q', summary: 'queries that count', score: () => 1 }),

  defineMetric({
    ...COUNT,
    name: 'num_ret',
    summary: 'number retrieved, summed over queries',
    score: ({ retrieved }) => retrieved,
  }),

  defineMetric({
    ...COUNT,
    name: 'num_rel',
    summary: 'number relevant, summed over queries',
    args: { rel: REL },
    score: ({ relevant }) => relevant,
  }),

  defineMetric({
    ...COUNT,
    name: 'num_rel_ret',
    summary: 'number relevant and retrieved, summed over queries',
    args: { rel: REL },
    score: ({ found }) => found.length,
  }),
]
