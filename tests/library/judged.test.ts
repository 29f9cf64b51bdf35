import { describe, expect, test } from 'vitest'
import { compareRuns } from '../../src/library/compare-runs.ts'
import { scoreRun } from '../../src/library/score-run.ts'

describe('labels and runs given as values', () => {
  const rows = [
    { query: 'q', id: 'a', grade: 2, score: 9 },
    { query: 'q', id: 'b', grade: 0, score: 7 },
    { query: 'r', id: 'a', grade: 1, score: 5 },
  ]
  const nested = (value: 'grade' | 'score') => ({
    q: { a: rows[0][value], b: rows[1][value] },
    r: { a: rows[2][value] },
  })

  test('are scored, with what is missing and unjudged', async () => {
    const run = { q: { b: 9, a: 7, z: 1, y: 0 }, x: { a: 1 } }
    expect(await scoreRun(nested('grade'), run, ['mrr'])).toEqual({
      means: { mrr: 0.25 },
      missing: 1,
      unjudged: 1,
      judged: 0.5,
      perQuery: new Map([
        ['q', { mrr: 0.5 }],
        ['r', { mrr: 0 }],
      ]),
    })
    expect((await scoreRun(nested('grade'), run, ['mrr'], { presentOnly: true })).means).toEqual({ mrr: 0.5 })
    expect((await scoreRun(nested('grade'), run, ['mrr'], { depth: 1 })).means).toEqual({ mrr: 0 })
    expect(Object.keys((await scoreRun(nested('grade'), run)).means)).toEqual(['ndcg@10', 'recall@10', 'map'])
  })

  test('are compared with the first, or the one that is named, or in pairs', async () => {
    const runs = {
      a: { q: { a: 2, b: 1 }, r: { a: 1 } },
      b: { q: { b: 2, a: 1 }, r: { a: 1 } },
      c: { q: { a: 1 } },
    }
    const compared = await compareRuns(nested('grade'), runs, { measure: 'mrr', draws: 100 })
    expect([compared.measure, compared.queries, compared.means]).toEqual([
      'mrr',
      2,
      { a: 1, b: 0.75, c: 0.5 },
    ])
    expect(compared.judged).toEqual({ a: 1, b: 1, c: 1 })
    const pairs = (comparisons: readonly { name: string; baseline: string }[]) =>
      comparisons.map(({ name, baseline }) => [name, baseline])
    expect(pairs(compared.comparisons)).toEqual([
      ['b', 'a'],
      ['c', 'a'],
    ])
    expect(
      pairs((await compareRuns(nested('grade'), runs, { baseline: 'b', draws: 100 })).comparisons),
    ).toEqual([
      ['a', 'b'],
      ['c', 'b'],
    ])
    expect(
      pairs((await compareRuns(nested('grade'), runs, { pairs: true, draws: 100 })).comparisons),
    ).toEqual([
      ['b', 'a'],
      ['c', 'a'],
      ['c', 'b'],
    ])
    expect((await compareRuns(nested('grade'), runs, { draws: 100 })).measure).toBe('ndcg@10')
  })
})
