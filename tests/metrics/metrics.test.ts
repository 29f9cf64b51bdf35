import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GradedRanking } from '../../src/metrics/define.ts'
import { evaluate, meanOf } from '../../src/metrics/evaluate.ts'
import { METRICS, parseMeasure } from '../../src/metrics/parse.ts'
import { anyJudged } from './judged.ts'
import { ORACLES, rankingOf } from './oracle.ts'

const nothing: GradedRanking = {
  grades: Int32Array.from([1, 0]),
  ranks: new Int32Array(2),
  retrieved: 0,
  tokens: new Float64Array(2).fill(Number.POSITIVE_INFINITY),
  contains: new Uint8Array(0),
  foreign: { source: new Uint8Array(0) },
  entities: new Int32Array(1),
  facts: new Int32Array(1),
}

/** A measure of every metric, with a cutoff where it needs one. */
const measures = METRICS.all.map(({ name, cutoff, cutoffIn }) =>
  parseMeasure(
    cutoff === 'none'
      ? name
      : cutoffIn === 'recall'
        ? `${name}@0.5`
        : cutoffIn === 'tokens'
          ? `${name}@2000tok`
          : `${name}@5`,
  ),
)

describe('every metric', () => {
  test('is one entry of its family, and no two share a name', () => {
    const folder = join(import.meta.dirname, '../../src/metrics')
    const text = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    const defined = text.join('').match(/^ {2}defineMetric\(/gm) ?? []
    expect(METRICS.all.length).toBe(defined.length)
    expect(METRICS.byName.size).toBe(
      METRICS.all.flatMap(({ name, aliases = [] }) => [name, ...aliases]).length,
    )
  })

  test.each(measures.map((measure) => [measure.name, measure] as const))(
    '%s: parses to itself',
    (name, measure) => {
      expect(parseMeasure(name)).toEqual(measure)
    },
  )

  test.each(measures.map((measure) => [measure.name, measure] as const))(
    '%s: 0 where nothing was retrieved, and the worst number of calls',
    (name, measure) => {
      if (name === 'num_q' || name === 'num_rel') return
      const worst: Readonly<Record<string, number>> = {
        calls_to_first_gold: 11,
        calls_to_all_gold: 11,
        wasted_calls: 1,
      }
      expect(evaluate([measure], nothing)[0]).toBe(worst[measure.metric.name] ?? 0)
    },
  )

  test.each(
    measures.filter(({ metric }) => metric.bounded).map((measure) => [measure.name, measure] as const),
  )('%s: from 0 to 1', (_, measure) => {
    fc.assert(
      fc.property(anyJudged, (judged) => {
        const [value] = evaluate([measure], judged)
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1 + 1e-12)
      }),
    )
  })

  test.each(measures.map((measure) => [measure.name, measure] as const))(
    '%s: the order of labels changes nothing',
    (_, measure) => {
      fc.assert(
        fc.property(anyJudged, (judged) => {
          const flip = <T extends Int32Array | Float64Array>(column: T) => column.slice().reverse() as T
          const reversed = {
            ...judged,
            grades: flip(judged.grades),
            ranks: flip(judged.ranks as Int32Array),
            tokens: flip(judged.tokens as Float64Array),
          }
          expect(evaluate([measure], reversed)[0]).toBeCloseTo(evaluate([measure], judged)[0], 12)
        }),
      )
    },
  )
})

describe('against an oracle of whole rankings', () => {
  test.each(Object.keys(ORACLES))('%s', (name) => {
    fc.assert(
      fc.property(anyJudged, fc.integer({ min: 1, max: 20 }), (judged, k) => {
        const expected = ORACLES[name](rankingOf(judged), Array.from(judged.grades), k)
        expect(evaluate([parseMeasure(`${name}@${k}`)], judged)[0]).toBeCloseTo(expected, 12)
      }),
    )
  })
})

describe('without a cutoff, by their definitions', () => {
  type Judgements = { readonly ranking: ReturnType<typeof rankingOf>; readonly grades: readonly number[] }
  const relevant = ({ grades }: Judgements) => grades.filter((grade) => grade >= 1).length
  const relevantIn = ({ ranking }: Judgements, k = ranking.length) =>
    ranking.slice(0, k).filter(({ grade }) => grade !== null && grade >= 1).length
  const DEFINED: Readonly<Record<string, (of: Judgements) => number>> = {
    set_precision: (of) => relevantIn(of) / Math.max(1, of.ranking.length),
    set_recall: (of) => relevantIn(of) / Math.max(1, relevant(of)),
    rprec: (of) => relevantIn(of, relevant(of)) / Math.max(1, relevant(of)),
    num_q: () => 1,
    num_ret: ({ ranking }) => ranking.length,
    num_rel: relevant,
    num_rel_ret: relevantIn,
    gm_map: ({ ranking, grades }) => ORACLES.map(ranking, [...grades], 100),
    bpref: (of) => {
      const nonrelevant = of.grades.filter((grade) => grade === 0).length
      const least = Math.min(nonrelevant, relevant(of))
      const terms = of.ranking.flatMap(({ grade }, place) => {
        if (grade === null || grade < 1) return []
        const above = of.ranking.slice(0, place).filter((ranked) => ranked.grade === 0).length
        return [above === 0 ? 1 : 1 - Math.min(above, relevant(of)) / least]
      })
      return terms.reduce((total, term) => total + term, 0) / Math.max(1, relevant(of))
    },
    ...Object.fromEntries(
      [0, 0.1, 0.5, 1].map((level) => [
        `iprec@${level}`,
        (of: Judgements) => {
          const needed = Math.round(level * relevant(of))
          const ranks = of.ranking.flatMap(({ grade }, place) =>
            grade !== null && grade >= 1 ? [place + 1] : [],
          )
          return Math.max(0, ...ranks.map((rank, place) => (place + 1 >= needed ? (place + 1) / rank : 0)))
        },
      ]),
    ),
  }
  test.each(Object.keys(DEFINED))('%s', (name) => {
    fc.assert(
      fc.property(anyJudged, (judged) => {
        const expected = DEFINED[name]({ ranking: rankingOf(judged), grades: [...judged.grades] })
        expect(evaluate([parseMeasure(name)], judged)[0]).toBeCloseTo(expected, 12)
      }),
    )
  })
})

describe('OR-groups', () => {
  // [[A, B], [C]]: B at rank 1, A at rank 2, C not retrieved.
  const grouped: GradedRanking = {
    grades: Int32Array.from([1, 1, 1]),
    groups: Int32Array.from([0, 0, 1]),
    ranks: Int32Array.from([2, 1, 0]),
    retrieved: 3,
    tokens: Float64Array.from([200, 100, Number.POSITIVE_INFINITY]),
  }
  test.each([
    ['recall@1', 0.5],
    ['recall@3', 0.5],
    ['full_recall@3', 0],
    ['precision@2', 1],
    ['mrr', 1],
    ['map', 0.5],
    ['num_rel', 2],
    ['num_rel_ret', 1],
    ['recall@150tok', 0.5],
    ['recall@50tok', 0],
    ['recall_area@1000tok', 900 / 2000],
    ['set_precision', 2 / 3],
    ['rprec', 0.5],
  ])('%s = %d', (name, value) => {
    expect(evaluate([parseMeasure(name)], grouped)[0]).toBe(value)
    const turned = {
      ...grouped,
      groups: grouped.groups?.toReversed(),
      ranks: Int32Array.from(grouped.ranks).reverse(),
      tokens: Float64Array.from(grouped.tokens ?? []).reverse(),
    }
    expect(evaluate([parseMeasure(name)], turned)[0]).toBe(value)
  })
})

describe('token budgets', () => {
  const judged: GradedRanking = {
    grades: Int32Array.from([1, 1]),
    ranks: Int32Array.from([1, 4]),
    retrieved: 4,
    tokens: Float64Array.from([300, 1000]),
    firstTokens: Uint32Array.from([300, 450, 800, 1000, 1000]),
    evidenceTokens: 200,
  }
  test.each([
    ['tokens@1', 300 + 200],
    ['tokens@3', 800 + 200],
    ['tokens@5', 1000 + 200],
    ['recall@299tok', 0],
    ['recall@300tok', 0.5],
    ['recall@1000tok', 1],
    ['recall@1000tok(evidence=first)', 0.5],
    ['full_recall@1000tok', 1],
    ['recall_area', (3700 + 3000) / 8000],
    ['recall_area@1000tok(evidence=first)', 500 / 2000],
  ])('%s = %d', (name, value) => expect(evaluate([parseMeasure(name)], judged)[0]).toBe(value))
})

test('the context: an answer in it, and its tokens with those of evidence', () => {
  const judged = {
    grades: Int32Array.of(1),
    ranks: Int32Array.of(1),
    retrieved: 3,
    contains: Uint8Array.of(0, 0, 1),
    firstTokens: Uint32Array.of(10, 30, 60),
  }
  const values = (name: string, ranking: GradedRanking) =>
    [2, 3].map((k) => evaluate([parseMeasure(`${name}@${k}`)], ranking)[0])
  expect(values('answer_in_context', judged)).toEqual([0, 1])
  expect(values('answer_in_context', { ...judged, contains: Uint8Array.of(1, 0, 0) })).toEqual([1, 1])
  expect(values('tokens', judged)).toEqual([30, 60])
  expect(values('tokens', { ...judged, evidenceTokens: 5 })).toEqual([35, 65])
})

test('a query without answers or sources does not count', () => {
  const [answer, dirt, share] = ['answer_in_context@2', 'contamination@2', 'recall@1'].map((name) =>
    parseMeasure(name),
  )
  const unknown = {
    ...nothing,
    contains: undefined,
    foreign: undefined,
    entities: undefined,
    facts: undefined,
  }
  const measured = {
    ...nothing,
    retrieved: 3,
    contains: Uint8Array.from([0, 1, 0]),
    foreign: { source: Uint8Array.from([1, 0, 1]) },
  }
  expect(Array.from(evaluate([answer, dirt], unknown))).toEqual([Number.NaN, Number.NaN])
  expect(Array.from(evaluate([answer, dirt], measured))).toEqual([1, 0.5])
  expect(meanOf(answer, [Number.NaN, 1, 0])).toBe(0.5)
  const [entity, path] = ['entity_recall@2', 'path_recall@2'].map((name) => parseMeasure(name))
  expect(Array.from(evaluate([entity, path], unknown))).toEqual([Number.NaN, Number.NaN])
  const named = { ...measured, entities: Int32Array.of(1, 2, 3, 0), facts: Int32Array.of(3, 2) }
  expect(Array.from(evaluate([entity, path], named))).toEqual([0.5, 0.5])
  expect(meanOf(share, [])).toBe(0)
})
