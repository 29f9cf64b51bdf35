import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Judged } from '../../src/metrics/define.ts'
import { createScorer, evaluate, meanOf } from '../../src/metrics/evaluate.ts'
import { METRICS } from '../../src/metrics/index.ts'
import { parseMeasure } from '../../src/metrics/parse.ts'
import { anyJudged } from './judged.ts'
import { ORACLES, rankingOf } from './oracle.ts'

const nothing: Judged = {
  grades: Int32Array.from([1, 0]),
  ranks: new Int32Array(2),
  retrieved: 0,
  tokens: new Float64Array(2).fill(Number.POSITIVE_INFINITY),
  contains: new Uint8Array(0),
  foreign: { source: new Uint8Array(0) },
}

/** A measure of every metric, with a cutoff where it needs one. */
const measures = METRICS.map(({ name, cutoff, cutoffIn }) =>
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
  test('is one file and one line in the registry', () => {
    const folder = join(import.meta.dirname, '../../src/metrics')
    const files = readdirSync(folder).filter((file) =>
      readFileSync(join(folder, file), 'utf8').includes('= defineMetric({'),
    )
    expect(files.map((file) => file.replace('.ts', '').replaceAll('-', '_')).sort()).toEqual(
      METRICS.map(({ name }) => name).sort(),
    )
  })

  test.each(measures.map((measure) => [measure.name, measure] as const))(
    '%s: parses to itself',
    (name, measure) => {
      expect(parseMeasure(name)).toEqual(measure)
    },
  )

  test.each(measures.map((measure) => [measure.name, measure] as const))(
    '%s: 0 where nothing was retrieved',
    (name, measure) => {
      if (name === 'num_q' || name === 'num_rel') return
      expect(evaluate([measure], nothing)[0]).toBe(0)
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

describe('OR-groups', () => {
  // [[A, B], [C]]: B at rank 1, A at rank 2, C not retrieved.
  const grouped: Judged = {
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
  ])('%s = %d', (name, value) => expect(evaluate([parseMeasure(name)], grouped)[0]).toBe(value))
})

describe('token budgets', () => {
  const judged: Judged = {
    grades: Int32Array.from([1, 1]),
    ranks: Int32Array.from([1, 4]),
    retrieved: 4,
    tokens: Float64Array.from([300, 1000]),
    evidenceTokens: 200,
  }
  test.each([
    ['recall@299tok', 0],
    ['recall@300tok', 0.5],
    ['recall@1000tok', 1],
    ['recall@1000tok(evidence=first)', 0.5],
    ['full_recall@1000tok', 1],
    ['recall_area', (3700 + 3000) / 8000],
    ['recall_area@1000tok(evidence=first)', 500 / 2000],
  ])('%s = %d', (name, value) => expect(evaluate([parseMeasure(name)], judged)[0]).toBe(value))

  test('without tokens it fails', () => {
    expect(() => evaluate([parseMeasure('recall@10tok')], { ...judged, tokens: undefined })).toThrow('token')
  })
})

test('a query without answers or sources does not count', () => {
  const [answer, dirt, share] = ['answer_in_context@2', 'contamination@2', 'recall@1'].map((name) =>
    parseMeasure(name),
  )
  const unknown = { ...nothing, contains: undefined, foreign: undefined }
  const known = {
    ...nothing,
    retrieved: 3,
    contains: Uint8Array.from([0, 1, 0]),
    foreign: { source: Uint8Array.from([1, 0, 1]) },
  }
  expect(Array.from(evaluate([answer, dirt], unknown))).toEqual([Number.NaN, Number.NaN])
  expect(Array.from(evaluate([answer, dirt], known))).toEqual([1, 0.5])
  expect(meanOf(answer, [Number.NaN, 1, 0])).toBe(0.5)
  expect(meanOf(share, [])).toBe(0)
})

test('a scorer that saw one query scores the next as a fresh one does', () => {
  const names = ['ndcg@10', 'map', 'map(rel=2)', 'bpref', 'recall@5']
  const scorer = createScorer(names.map((name) => parseMeasure(name)))
  fc.assert(
    fc.property(anyJudged, (judged) => {
      expect(scorer.score(judged)).toEqual(
        evaluate(
          names.map((name) => parseMeasure(name)),
          judged,
        ),
      )
    }),
  )
})
