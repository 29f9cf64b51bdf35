import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DIALECTS } from '../../src/metrics/dialects.ts'
import { evaluate } from '../../src/metrics/evaluate.ts'
import { formatC, roundC } from '../../src/metrics/format.ts'
import { goldOf, gradeRanking, withoutUnjudged } from '../../src/metrics/grade.ts'
import { discount } from '../../src/metrics/log2.ts'
import { parseMeasure } from '../../src/metrics/parse.ts'
import { goldByQuery, scoreRankings } from '../../src/metrics/score-run.ts'
import { reorderTies } from '../../src/metrics/ties.ts'

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
      const own = judgedOnly ? withoutUnjudged(whole) : whole
      expect(Array.from(own.ranks)).toEqual(gold.ids.map((id) => list.findIndex((one) => one.id === id) + 1))
      expect(own.retrieved).toBe(list.length)
    }),
  )
})

test('a block of ties has its first and last rank, alone or of several', () => {
  const gold = goldOf(new Map(['a', 'b', 'c', 'd'].map((id) => [id, 1])))
  const found = gradeRanking(
    'q',
    { ids: ['d', 'a', 'c', 'b'], scores: Float64Array.of(1, 3, 2, 2) },
    gold,
    plain,
  )
  const by = (values: ArrayLike<number>) =>
    ['a', 'b', 'c', 'd'].map((id) => values[gold.indexes.get(id) ?? -1])
  expect([by(found.ranks), by(found.firstTied), by(found.lastTied), found.retrieved]).toEqual([
    [1, 3, 2, 4],
    [1, 2, 2, 4],
    [1, 3, 3, 4],
    4,
  ])
})

test('a block of ties ends where the list is cut', () => {
  const gold = goldOf(
    new Map([
      ['b', 1],
      ['d', 1],
    ]),
  )
  const retrieved = { ids: ['a', 'b', 'c', 'd'], scores: Float64Array.of(2, 1, 1, 1) }
  const { ranks, firstTied, lastTied } = gradeRanking('q', retrieved, gold, { ...plain, depth: 3 })
  expect([ranks, firstTied, lastTied].map((column) => [...column])).toEqual([
    [0, 2],
    [0, 2],
    [0, 3],
  ])
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
      const own = gradeRanking(
        'q',
        { ids, scores: Float64Array.from(ids, (_, place) => scores[place]) },
        gold,
        plain,
      )
      const [worst, given, best] = [reorderTies(own, 'worst'), own, reorderTies(own, 'best')].map((one) =>
        evaluate(measures, one),
      )
      measures.forEach((_, place) => {
        expect(given[place]).toBeGreaterThanOrEqual(worst[place] - 1e-12)
        expect(given[place]).toBeLessThanOrEqual(best[place] + 1e-12)
      })
    }),
  )
})

test('a block of ties stays one without the unjudged, and begins where they are left out', () => {
  const gold = goldOf(
    new Map([
      ['a', 1],
      ['b', 0],
      ['c', 2],
      ['d', 1],
      ['e', -1],
    ]),
  )
  // By score: a 5; x, e and b 4; d and c 3.
  const retrieved = { ids: ['a', 'b', 'e', 'x', 'c', 'd'], scores: Float64Array.of(5, 4, 4, 4, 3, 3) }
  const {
    ranks,
    firstTied,
    lastTied,
    retrieved: kept,
  } = withoutUnjudged(gradeRanking('q', retrieved, gold, plain))
  const of = (column: ArrayLike<number>) =>
    Object.fromEntries(gold.ids.map((id, label) => [id, column[label]]))
  expect(of(ranks)).toEqual({ a: 1, b: 2, d: 3, c: 4, e: 0 })
  expect(of(firstTied)).toEqual({ a: 1, b: 2, d: 3, c: 3, e: 0 })
  expect(of(lastTied)).toEqual({ a: 1, b: 2, d: 4, c: 4, e: 0 })
  expect(kept).toBe(4)
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

test('the share of judged documents is over the first ten', () => {
  const share = (judged: readonly number[], retrieved: number) => {
    const gold = goldByQuery(new Map([['q', new Map(judged.map((rank) => [`d${rank}`, 1]))]]))
    const ranked = Array.from({ length: retrieved }, (_, at) => at + 1)
    const one = { ids: ranked.map((rank) => `d${rank}`), scores: Float64Array.from(ranked, (rank) => -rank) }
    return scoreRankings({ gold, run: new Map([['q', one]]), measures: [parseMeasure('mrr')] }).judged
  }
  expect([share([1, 10, 11], 12), share([99], 12), share([1], 4), share([1], 0)]).toEqual([0.2, 0, 0.25, 0])
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
  const run = new Map([['q', { ids: ['q', 'a', 'b'], scores: Float64Array.from([3, 1 + 1e-12, 1]) }]])
  const gold = goldByQuery(new Map([['q', new Map([['a', 1]])]]))
  const mrr = (dialect: keyof typeof DIALECTS) =>
    scoreRankings({ gold, run, measures: [parseMeasure('mrr')], dialect: DIALECTS[dialect] }).means[0]

  test("float32 makes ties, and beir drops the query's own id and rounds", () => {
    expect(mrr('trec_eval-10')).toBe(1 / 2)
    expect(mrr('trec_eval-9')).toBe(1 / 3)
    expect(mrr('beir')).toBe(0.5)
    const thirds = goldByQuery(
      new Map([
        [
          'q',
          new Map([
            ['a', 1],
            ['x', 1],
            ['y', 1],
          ]),
        ],
      ]),
    )
    expect(
      scoreRankings({ gold: thirds, run, measures: [parseMeasure('recall@5')], dialect: DIALECTS.beir })
        .means[0],
    ).toBe(0.33333)
  })

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

test('trec_eval 9 adds the queries that a run lacks to gm_map last, trec_eval 10 in their turn', () => {
  const ids = Array.from({ length: 30 }, (_, place) => `q${place + 10}`)
  const lists = ids.map((_, place) => Array.from({ length: 1 + (place % 7) }, (_, rank) => `d${rank}`))
  const gold = goldByQuery(
    new Map(ids.map((id, place) => [id, new Map([[`d${lists[place].length - 1}`, 1]])])),
  )
  const held = ids.map((_, place) => place % 3 !== 1)
  const run = new Map(
    ids.flatMap((id, place) =>
      held[place]
        ? [[id, { ids: lists[place], scores: Float64Array.from(lists[place], (_, at) => -at) }]]
        : [],
    ),
  )
  const logs = lists.map((list, place) => Math.log(held[place] ? 1 / list.length : 0.00001))
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const absent = held.filter((one) => !one).length
  const last = sum(logs.filter((_, place) => held[place])) + absent * Math.log(0.00001)
  const measures = [parseMeasure('gm_map')]
  const mean = (dialect: 'trec_eval-10' | 'trec_eval-9') =>
    scoreRankings({ gold, run, measures, dialect: DIALECTS[dialect] }).means[0]
  expect(mean('trec_eval-10')).toBe(Math.exp(sum(logs) / 30))
  expect(mean('trec_eval-9')).toBe(Math.exp(last / 30))
  expect(mean('trec_eval-9')).not.toBe(mean('trec_eval-10'))
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

test('discounts are log2 to the last bit, but where glibc itself rounds the other way', () => {
  // Fixed point of 96 bits: composites by their factors, primes between their even neighbours.
  const bits = 96n
  const one = 1n << bits
  const size = 8000
  const exact: bigint[] = [0n, 0n, one]
  const atanh = (inverse: bigint) => {
    let sum = 0n
    let term = one / inverse
    for (let k = 1n; term > 0n; k += 2n, term /= inverse * inverse) sum += term / k
    return sum
  }
  const ln2 = 2n * atanh(3n)
  for (let n = 3; n < size; n++) {
    let factor = 2
    while (factor * factor <= n && n % factor !== 0) factor++
    if (n % factor === 0 && factor < n) exact[n] = exact[factor] + exact[n / factor]
    else
      exact[n] =
        (exact[(n - 1) / 2] + exact[(n + 1) / 2]) / 2n +
        one +
        (atanh(2n * BigInt(n) * BigInt(n) - 1n) << bits) / ln2
  }
  const other = []
  for (let n = 2; n < size; n++) if (discount(n - 1) !== Number(exact[n]) / 2 ** 96) other.push(n)
  expect(other).toEqual([1621, 3242, 6484])
})
