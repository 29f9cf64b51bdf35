import { defineMetric, REL } from './define.ts'
import { averagePrecision } from './map.ts'

/**
 * gm_map: the value of a query is its average precision; the mean over queries is geometric, with values below 0.00001
 * raised to that (see `meanOf`).
 */
export const gmMap = defineMetric({
  name: 'gm_map',
  summary: 'average precision with a geometric mean over queries',
  cutoff: 'none',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'geometric',
  bounded: true,
  better: 'higher',
  score: (view) => averagePrecision(view, Number.POSITIVE_INFINITY),
})
