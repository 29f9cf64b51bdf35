import { describe, expect, test } from 'vitest'
import { pairOf } from '../../src/labels/log.ts'
import { decisionOf, gainOf } from '../../src/labels/order.ts'
import { shuffled, withEarlier } from '../../src/labels/pool.ts'
import { passage, pool } from './pools.ts'

const both = passage('d1', 'found by both', [1, 1])
const onlyA = passage('d2', 'found by a', [2, 0])
const onlyB = passage('d3', 'found by b', [0, 2])
const question = { id: 'q1', text: 'Where?', passages: [both, onlyA, onlyB] }
const key = (passage: { readonly id: string }, query = 'q1') => pairOf(query, passage.id)

describe('the decision', () => {
  test('gains follow the measure', () => {
    expect([1, 2, 3, 0].map(gainOf('recall@2', 2))).toEqual([1, 1, 0, 0])
    expect([1, 2].map(gainOf('mrr@10', 10))).toEqual([1, 0.5])
    expect(gainOf('ndcg@10', 10)(3)).toBe(0.5)
  })

  test('has bounds that hold whatever the missing labels say', () => {
    const none = decisionOf(pool([question]), new Map())
    expect(none.pairs).toEqual([{ a: 0, b: 1, difference: 0, low: -0.5, high: 0.5, needed: 1 }])
    expect([...none.weights]).toEqual([
      [key(onlyA), 0.5],
      [key(onlyB), 0.5],
    ])
    const some = decisionOf(pool([question]), new Map([[key(onlyA), true]]))
    expect(some.pairs).toEqual([{ a: 0, b: 1, difference: 0.5, low: 0, high: 0.5, needed: 1 }])
    const all = decisionOf(
      pool([question]),
      new Map([
        [key(onlyA), true],
        [key(onlyB), false],
      ]),
    )
    expect(all).toMatchObject({ leader: 0, needed: 0, labelled: 2, total: 3 })
    expect(all.weights.size).toBe(0)
  })

  test('of three trials compares the leader with each, and weighs labels that can change a verdict', () => {
    // recall@2 of one question: a relevant passage of the first two counts 0.5.
    const [ab, c, none, bc] = [
      [1, 1, 0],
      [0, 0, 1],
      [0, 0, 0],
      [0, 2, 2],
    ].map((ranks, at) => passage(`e${at}`, `text ${at}`, ranks))
    const pooled = pool([{ id: 'q1', text: 'Where?', passages: [ab, c, none, bc] }], {
      trials: ['a', 'b', 'c'],
    })
    expect(decisionOf(pooled, new Map([[key(ab), true]]))).toEqual({
      leader: 0,
      pairs: [
        { a: 0, b: 1, difference: 0, low: -0.5, high: 0, needed: 1 },
        { a: 0, b: 2, difference: 0.5, low: -0.5, high: 0.5, needed: 2 },
      ],
      needed: 2,
      labelled: 1,
      total: 4,
      questions: { begun: 1, total: 1 },
      weights: new Map([
        [key(c), 0.5],
        [key(bc), 0.5],
      ]),
    })
    // Nothing open differs between a and b any more; c is behind whatever follows.
    const settled = decisionOf(
      pooled,
      new Map([
        [key(ab), true],
        [key(c), false],
        [key(bc), false],
      ]),
    )
    expect(settled.pairs.map(({ low, high, needed }) => [low, high, needed])).toEqual([
      [0, 0, 0],
      [0.5, 0.5, 0],
    ])
  })
})

describe('a pool', () => {
  test('shows passages in an order of its own to each labeller', () => {
    const passages = Array.from({ length: 30 }, (_, at) => passage(`d${at}`, `text ${at}`, [at + 1, 0]))
    const many = { id: 'q1', text: 'Where?', passages }
    const [ada, again, bob] = ['ada', 'ada', 'bob'].map((name) => shuffled(many, 0, name).map(({ id }) => id))
    expect(again).toEqual(ada)
    expect(bob).not.toEqual(ada)
    expect([...bob].sort()).toEqual([...ada].sort())
    expect(ada).not.toEqual(passages.map(({ id }) => id))
  })

  test('of an experiment that ran again keeps the passages of the earlier one, below every rank', () => {
    const now = pool([{ ...question, passages: [both] }])
    const [{ passages }] = withEarlier(now, pool([question])).queries
    expect(passages.map(({ id }) => id)).toEqual([both.id, onlyA.id, onlyB.id])
    expect(passages[1].ranks).toEqual([0, 0])
    // A question that is worded anew, or new, begins without.
    for (const changed of [{ text: 'Where now?' }, { id: 'q9' }]) {
      const other = pool([{ ...question, ...changed, passages: [both] }])
      expect(withEarlier(other, pool([question]))).toEqual(other)
    }
  })
})
