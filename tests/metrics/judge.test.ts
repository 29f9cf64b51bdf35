import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatC, roundC } from '../../src/metrics/c-numbers.ts'
import { DIALECTS } from '../../src/metrics/dialects.ts'
import { evaluate } from '../../src/metrics/evaluate.ts'
import { parseMeasure } from '../../src/metrics/parse.ts'
import {
  goldByQuery,
  goldOf,
  gradeRanking,
  scoreRankings,
  withoutUnjudged,
} from '../../src/metrics/score-run.ts'
import { reorderTies } from '../../src/metrics/variants.ts'

const plain = { dialect: DIALECTS['trec_eval-10'] }
const ids = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 25,
})
const case_ = fc.record({
  ids,
  scores: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 25, maxLength: 25 }),
  grades: fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 25, maxLength: 25 }),
  judged: fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }),
  depth: fc.integer({ min: 1, max: 30 }),
  judgedOnly: fc.boolean(),
})

test('ranks are those of a list sorted by score, then by id bytes descending, cut, and then without the unjudged', () => {
  fc.assert(
    fc.property(case_, ({ ids, scores, grades, judged, depth, judgedOnly }) => {
      const gold = goldOf(
        new Map([
          ...ids.flatMap((id, place) => (judged[place] ? [[id, grades[place]] as const] : [])),
          ['not retrieved', 1],
        ]),
      )
      let list = ids.map((id, place) => ({ id, score: scores[place] }))
      list.sort((a, b) => b.score - a.score || Buffer.compare(Buffer.from(b.id), Buffer.from(a.id)))
      list = list.slice(0, depth)
      if (judgedOnly) list = list.filter(({ id }) => (gold.grades[gold.indexes.get(id) ?? -1] ?? -1) >= 0)
      const whole = gradeRanking(
        'q',
        { ids, scores: Float64Array.from(ids, (_, place) => scores[place]) },
        gold,
        { ...plain, depth },
      )
      const actual = judgedOnly ? withoutUnjudged(whole) : whole
      expect(Array.from(actual.ranks)).toEqual(
        gold.ids.map((id) => list.findIndex((item) => item.id === id) + 1),
      )
      expect(actual.retrieved).toBe(list.length)
    }),
  )
})

test('any order of ties lies between the worst and the best', () => {
  const measures = ['mrr', 'map', 'recall@2', 'ndcg@3', 'bpref', 'precision@3'].map((name) =>
    parseMeasure(name),
  )
  fc.assert(
    fc.property(case_, ({ ids, scores, grades, judged }) => {
      // Grades of 0 and 1: with more, nothing is best for every measure.
      const gold = goldOf(
        new Map(
          ids.flatMap((id, place) => (judged[place] ? [[id, grades[place] > 0 ? 1 : 0] as const] : [])),
        ),
      )
      const ranking = gradeRanking(
        'q',
        { ids, scores: Float64Array.from(ids, (_, place) => scores[place]) },
        gold,
        plain,
      )
      const [worst, given, best] = [reorderTies(ranking, 'worst'), ranking, reorderTies(ranking, 'best')].map(
        (one) => evaluate(measures, one),
      )
      measures.forEach((_, place) => {
        expect(given[place]).toBeGreaterThanOrEqual(worst[place] - 1e-12)
        expect(given[place]).toBeLessThanOrEqual(best[place] + 1e-12)
      })
    }),
  )
})

test('labels of one unit move together, by the best grade of them', () => {
  // A block of the ranks 2 to 5: spans of one chunk at 3 with the grades 0 and 2, others at 2 (grade 1) and 5 (grade 0).
  const judged = {
    grades: Int32Array.of(0, 2, 1, 0, 3),
    ranks: Int32Array.of(3, 3, 2, 5, 1),
    retrieved: 6,
    firstTied: Int32Array.of(2, 2, 2, 2, 1),
    lastTied: Int32Array.of(5, 5, 5, 5, 1),
  }
  expect([...reorderTies(judged, 'best').ranks]).toEqual([2, 2, 3, 5, 1])
  expect([...reorderTies(judged, 'worst').ranks]).toEqual([5, 5, 4, 2, 1])
})

test("a query's own id is dropped before ranks are counted, and of repeats the best one counts", () => {
  const gold = goldOf(
    new Map([
      ['q', 1],
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ]),
  )
  const retrieved = { ids: ['b', 'q', 'a', 'b', 'a'], scores: Float64Array.of(1, 9, 5, 7, 2) }
  const graded = (dialect: keyof typeof DIALECTS) => {
    const { ranks, retrieved: total } = gradeRanking('q', retrieved, gold, { dialect: DIALECTS[dialect] })
    return [Object.fromEntries(gold.ids.map((id, label) => [id, ranks[label]])), total]
  }
  // Entries by score: q 9, b 7, a 5, a 2, b 1.
  expect(graded('trec_eval-10')).toEqual([{ q: 1, a: 3, b: 2, c: 0 }, 5])
  expect(graded('beir')).toEqual([{ q: 0, a: 2, b: 1, c: 0 }, 4])
})

describe('dialects', () => {
  test('autorag: figures worked by hand for [[a,b],[c]] and a, x, b, c', () => {
    const groups = new Map([
      [
        'q',
        new Map([
          ['a', '1'],
          ['b', '1'],
          ['c', '2'],
        ]),
      ],
    ])
    const own = goldByQuery(
      new Map([
        [
          'q',
          new Map([
            ['a', 1],
            ['b', 1],
            ['c', 1],
          ]),
        ],
      ]),
      groups,
    )
    const list = new Map([['q', { ids: ['a', 'x', 'b', 'c'], scores: Float64Array.from([4, 3, 2, 1]) }]])
    const names = ['recall@3', 'precision@4', 'mrr', 'map', 'ndcg']
    const { means } = scoreRankings({
      gold: own,
      run: list,
      measures: names.map((name) => parseMeasure(name)),
      dialect: DIALECTS.autorag,
    })
    expect(means[0]).toBe(0.5)
    expect(means[1]).toBe(0.75)
    expect(means[2]).toBe((1 + 1 / 4) / 2)
    expect(means[3]).toBeCloseTo(((1 + 2 / 3) / 2 + 1 / 4) / 2, 12)
    expect(means[4]).toBeCloseTo((1 + 1 / 2 + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3) + 1 / 2), 12)
    // Of fewer than there are members, ideal is a list of as many ones.
    const short = new Map([['q', { ids: ['x', 'a'], scores: Float64Array.of(2, 1) }]])
    const ndcg = scoreRankings({
      gold: own,
      run: short,
      measures: [parseMeasure('ndcg')],
      dialect: DIALECTS.autorag,
    })
    expect(ndcg.means[0]).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 12)
    expect(() =>
      scoreRankings({ gold: own, run: list, measures: [parseMeasure('bpref')], dialect: DIALECTS.autorag }),
    ).toThrow('the dialect autorag has no measure `bpref`')
  })
})

test('judged queries that a run lacks count as 0, or are left out', () => {
  const gold = goldByQuery(
    new Map([
      ['a', new Map([['x', 1]])],
      ['b', new Map([['x', 1]])],
    ]),
  )
  const run = new Map([
    ['a', { ids: ['x'], scores: Float64Array.from([1]) }],
    ['c', { ids: ['x'], scores: Float64Array.from([1]) }],
  ])
  const measures = [parseMeasure('mrr')]
  expect(scoreRankings({ gold, run, measures })).toMatchObject({
    queries: ['a', 'b'],
    means: [0.5],
    missing: 1,
    unjudged: 1,
  })
  expect(scoreRankings({ gold, run, measures, presentOnly: true })).toMatchObject({
    queries: ['a'],
    means: [1],
  })
})

test("numbers print as C's", () => {
  expect(formatC(0.03125, 4)).toBe('0.0312')
  expect(formatC(0.09375, 4)).toBe('0.0938')
  expect(formatC(0.5, 0)).toBe('0')
  expect(formatC(1.5, 0)).toBe('2')
  expect(formatC(-0.03125, 4)).toBe('-0.0312')
  expect(formatC(1e-9, 4)).toBe('0.0000')
  expect(roundC(0.123456, 5)).toBe(0.12346)
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 20 }),
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 0, max: 6 }),
      (top, power, decimals) => {
        // value = top / 2^power exactly; half-even in whole numbers.
        const scaled = BigInt(top) * 10n ** BigInt(decimals)
        const unit = 1n << BigInt(power)
        const whole = scaled / unit
        const twice = 2n * (scaled % unit)
        const up = twice > unit || (twice === unit && whole % 2n === 1n)
        const digits = (whole + (up ? 1n : 0n)).toString().padStart(decimals + 1, '0')
        const expected = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
        expect(formatC(top / 2 ** power, decimals)).toBe(expected)
      },
    ),
  )
})
