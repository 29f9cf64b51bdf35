import { defineMetric, REL } from './define.ts'

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
