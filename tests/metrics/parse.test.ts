import { describe, expect, test } from 'vitest'
import { parseMeasure } from '../../src/metrics/parse.ts'
import { askedMeasures } from '../../src/metrics/trec-names.ts'

describe('names', () => {
  test.each([
    ['ndcg@10', 'ndcg@10'],
    ['success@5', 'hit@5'],
    ['map(rel=2)@100', 'map(rel=2)@100'],
    ['map@100(rel=2)', 'map(rel=2)@100'],
    ['rbp(p=0.9)', 'rbp(p=0.9)'],
    ['rbp(p=0.8)', 'rbp'],
    ['iprec@0.1', 'iprec@0.10'],
    ['recall@1000tok', 'recall@1000tok'],
    ['recall@1000tok(evidence=first)', 'recall@1000tok(evidence=first)'],
    ['recall_area', 'recall_area@4000tok'],
    ['Recall@5', 'recall@5'],
  ])('%s is %s', (name, canonical) => {
    expect(parseMeasure(name).name).toBe(canonical)
    expect(parseMeasure(canonical)).toEqual(parseMeasure(name))
  })
})

describe("trec_eval's names", () => {
  const labels = (names: string[]) =>
    askedMeasures(names).map(({ label, measure }) => `${label}=${measure.name}`)
  test('lists, cutoffs, printed names, ours', () => {
    expect(labels(['P.5,10'])).toEqual(['P_5=precision@5', 'P_10=precision@10'])
    expect(labels(['ndcg_cut_10', 'recip_rank', 'ndcg@10'])).toEqual([
      'ndcg_cut_10=ndcg@10',
      'recip_rank=mrr',
      'ndcg@10=ndcg@10',
    ])
    expect(labels(['iprec_at_recall..10,.5'])).toEqual([
      'iprec_at_recall_0.10=iprec@0.10',
      'iprec_at_recall_0.50=iprec@0.50',
    ])
    expect(labels(['official'])).toHaveLength(30 - 1)
  })
})
