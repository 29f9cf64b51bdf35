import { describe, expect, it } from 'vitest'
import { locateReads } from '../../src/experiment/shard/reads.ts'
import type { GradedRanking } from '../../src/metrics/define.ts'
import { evaluate } from '../../src/metrics/evaluate.ts'
import { parseMeasures } from '../../src/metrics/parse.ts'
import type { Call } from '../../src/types.ts'

/** Five chunks of 10 tokens, each its own unit; the gold is chunk 1 and chunk 3. */
const units = Int32Array.of(1, 3)
const judge = (calls: readonly Partial<Call>[], more: Partial<GradedRanking> = {}): GradedRanking => ({
  grades: Int32Array.of(1, 1),
  ranks: Int32Array.of(0, 0),
  retrieved: 0,
  reads: locateReads(
    calls.map((call) => ({ tool: 't', input: '', rows: [], ...call })),
    { units },
    Uint32Array.of(0, 1, 2, 3, 4),
    new Uint32Array(5).fill(10),
  ),
  ...more,
})
const score = (judged: GradedRanking, ...names: string[]) => [...evaluate(parseMeasures(names), judged)]
const NAMES = ['calls_to_first_gold', 'calls_to_all_gold', 'wasted_calls'] as const

describe('measures of calls', () => {
  it('count a passage that is read twice once, and its tokens twice', () => {
    const judged = judge([{ rows: [0, 1] }, { rows: [1, 0] }, { rows: [3] }])
    const budgets = [19, 20, 49, 50].map((budget) => `recall_by_token@${budget}tok`)
    expect(score(judged, ...budgets)).toEqual([0, 0.5, 0.5, 1])
    expect(score(judged, ...NAMES)).toEqual([1, 3, 1])
  })

  it('stop at the budget', () => {
    const judged = judge([{ rows: [1] }, { rows: [0, 2, 4] }, { rows: [3] }])
    expect(score(judged, ...NAMES.map((name) => `${name}@40tok`))).toEqual([1, 11, 1])
    expect(score(judged, 'calls_to_all_gold(max=2)', 'calls_to_all_gold(max=3)')).toEqual([3, 3])
  })

  it('spread recorded tokens over the chunks, and count those of a call that found nothing', () => {
    const judged = judge([{ tokens: 7 }, { rows: [0, 1], tokens: 6 }, { rows: [3], tokens: 0 }])
    const budgets = [12, 13].map((budget) => `recall_by_token@${budget}tok`)
    expect(score(judged, ...budgets)).toEqual([0, 1])
    expect(score(judged, ...NAMES)).toEqual([2, 3, 1])
  })

  it('waste no call that a free call at the budget makes up for', () => {
    const judged = judge([{ rows: [0] }, { rows: [1, 3], tokens: 0 }])
    expect(score(judged, ...NAMES.map((name) => `${name}@10tok`))).toEqual([2, 2, 1])
    const free = judge([
      { rows: [1], tokens: 10 },
      { rows: [3], tokens: 0 },
    ])
    expect(score(free, ...NAMES.map((name) => `${name}@10tok`))).toEqual([1, 2, 0])
  })

  it('take a ranking as one call, with its evidence first', () => {
    const tokens = Float64Array.of(10, Number.POSITIVE_INFINITY)
    const ranking = judge([], { reads: undefined, tokens, evidenceTokens: 5 })
    expect(score(ranking, 'recall_by_token@14tok', 'recall_by_token@15tok', ...NAMES)).toEqual([
      0, 0.5, 1, 11, 0,
    ])
    expect(score(ranking, 'wasted_calls@14tok')).toEqual([1])
  })

  it('count one member of a group of alternatives', () => {
    const judged = judge([{ rows: [0] }, { rows: [3] }], { groups: Int32Array.of(0, 0) })
    expect(score(judged, 'recall_by_token@20tok', ...NAMES)).toEqual([1, 2, 2, 1])
  })

  it('have a worst value without any call or gold', () => {
    expect(score(judge([]), 'recall_by_token@20tok', ...NAMES)).toEqual([0, 11, 11, 0])
  })

  it('read 10,000 calls in a loop', () => {
    const judged = judge([...Array.from({ length: 9999 }, () => ({ rows: [0] })), { rows: [1, 3] }])
    expect(score(judged, 'wasted_calls@1000000tok', 'calls_to_all_gold(max=10000)@1000000tok')).toEqual([
      9999, 10000,
    ])
    expect(score(judged, 'wasted_calls')).toEqual([400])
  })
})
