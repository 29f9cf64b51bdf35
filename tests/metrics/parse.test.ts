import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { parseMeasure, parseMeasures } from '../../src/metrics/parse.ts'
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

  test('a metric may have a digit in its name', () => {
    for (const [name, meant] of [
      ['ndcg10', 'ndcg@10'],
      ['Recall_5', 'recall@5'],
      ['recall_at_5', 'recall@5'],
    ])
      expect(() => parseMeasure(name)).toThrow(`there is no measure \`${name}\` (did you mean "${meant}"?); `)
    expect(() => parseMeasure('ndcg2@5')).toThrow('there is no measure `ndcg2@5` (did you mean "ndcg@5"?)')
  })

  test('a level given from outside holds where the name has none', () => {
    expect(parseMeasure('map', { rel: 2 })).toMatchObject({ name: 'map(rel=2)', rel: 2 })
    expect(parseMeasure('map(rel=3)', { rel: 2 }).rel).toBe(3)
  })

  test('what a measure needs', () => {
    expect(parseMeasure('recall@5').needs).toBe('labels')
    expect(parseMeasure('recall@5tok').needs).toBe('tokens')
    expect(parseMeasure('recall_area').needs).toBe('tokens')
    expect(parseMeasure('answer_in_context@5').needs).toBe('contains')
  })
})

describe('messages', () => {
  test('several names have all of theirs', () => {
    expect(() => askedMeasures(['map', 'xyzzyx', 'recall@0'])).toThrow(
      /there is no measure `xyzzyx`.*`recall@0` needs a whole cutoff/s,
    )
  })

  test.each([
    [
      'ndgc@10',
      'there is no measure `ndgc@10` (did you mean "ndcg@10"?); `touchstone list measures` shows all',
    ],
    ['xyzzyx', 'there is no measure `xyzzyx`; `touchstone list measures` shows all'],
    ['recall', '`recall` needs a cutoff, as `recall@10`'],
    ['recall@0', '`recall@0` needs a whole cutoff of 1 or more, as `recall@10`'],
    ['recall@1.5', '`recall@1.5` needs a whole cutoff of 1 or more, as `recall@10`'],
    ['bpref@5', '`bpref@5` takes no cutoff; write `bpref`'],
    ['iprec@10', '`iprec@10` needs a recall level from 0 to 1, as `iprec@0.10`'],
    ['ndcg@100tok', '`ndcg@100tok` has no token budget; its cutoff is a rank, as `ndcg@10`'],
    ['recall_area@100', '`recall_area@100` needs a token budget, as `recall_area@4000tok`'],
    ['map(rell=2)', '`map(rell=2)`: map has no argument `rell` (did you mean "rel"?); it takes `rel`'],
    ['rbp(p=2)', '`rbp(p=2)`: `p` is a number from 0 to 1, not `2`'],
    ['map(rel=x)', '`map(rel=x)`: `rel` is a whole number from 0 to 1000, not `x`'],
    ['recall@5tok(evidence=last)', '`recall@5tok(evidence=last)`: `evidence` is beside or first, not `last`'],
    ['map(rel=2)@10(rel=3)', '`map(rel=2)@10(rel=3)` has arguments twice; write `map@10`'],
  ])('%s', (name, message) => {
    expect(() => parseMeasure(name)).toThrow(UserError)
    expect(() => parseMeasure(name)).toThrow(message)
  })

  test('all at once, and a measure named twice', () => {
    expect(() => parseMeasures(['nope', 'hit@5', 'success@5', 'recall'])).toThrow(
      /`nope`[\s\S]*`success@5` is named twice[\s\S]*`recall` needs a cutoff/,
    )
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
