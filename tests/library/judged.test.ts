import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compareRuns, compareScores } from '../../src/library/compare-runs.ts'
import { readQrelsInput, readRetrieved } from '../../src/library/judged.ts'
import { findTrial } from '../../src/library/open-config.ts'
import { datasetReport, reportFile } from '../../src/library/report-file.ts'
import { scoreRun } from '../../src/library/score-run.ts'
import { trialNamed } from '../../src/library/trial-config.ts'
import { temporaryFolder } from '../temporary.ts'

const messageOf = async (run: () => unknown) => {
  try {
    await run()
  } catch (error) {
    return (error as Error).message.split('\n')
  }
  return expect.fail('was accepted')
}

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
  const mapped = (value: 'grade' | 'score') =>
    new Map(
      Object.entries(nested(value)).map(([query, one]) => [
        query,
        new Map(Object.entries(one) as [string, number][]),
      ]),
    )

  test('are rows, objects, maps or files, all alike', async () => {
    const folder = temporaryFolder({
      'q.txt': 'q 0 a 2\nq 0 b 0\nr 0 a 1\n',
      'r.trec': 'q Q0 a 1 9 t\nq Q0 b 2 7 t\nr Q0 a 1 5 t\n',
    })
    const gold = [...(await readQrelsInput(join(folder, 'q.txt')))]
    expect(gold.map(([query, { ids, grades }]) => [query, ids, [...grades]])).toEqual([
      ['q', ['a', 'b'], [2, 0]],
      ['r', ['a'], [1]],
    ])
    for (const given of [rows, nested('grade'), mapped('grade')])
      expect([...(await readQrelsInput(given))]).toEqual(gold)
    const { queries } = await readRetrieved(join(folder, 'r.trec'), 'x')
    expect([...queries].map(([query, { ids, scores }]) => [query, ids, [...scores]])).toEqual([
      ['q', ['a', 'b'], [9, 7]],
      ['r', ['a'], [5]],
    ])
    for (const given of [rows, nested('score'), mapped('score')]) {
      const run = await readRetrieved(given, 'mine')
      expect([run.name, run.queries]).toEqual(['mine', queries])
    }
  })

  test('that are wrong are named by where they came from', async () => {
    expect(await messageOf(() => readQrelsInput([{ query: 'q', id: 'a', grade: 1.5 }]))).toEqual([
      'judgements: the grade `1.5` is not a whole number of 32 bits',
    ])
    const twice = [rows[0], rows[0]]
    expect(await messageOf(() => readRetrieved(twice, 'mine'))).toEqual([
      'mine: the query `q` has `a` twice; an id may occur once in a ranking',
    ])
    expect((await readRetrieved(twice, 'mine', true)).queries.get('q')?.ids).toEqual(['a', 'a'])
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

test('scores that are no rows of one length, or out of range, are all named', async () => {
  const scores = { a: [0, 0.5, 1], b: [0, 2], c: [Number.POSITIVE_INFINITY, 0, Number.NaN] }
  expect(
    await messageOf(() => compareScores(scores, { range: { low: 0, high: 1 }, clusters: ['x'] } as never)),
  ).toEqual([
    '`b` has 2 values and `a` has 3; give one value for each query',
    '`b`, value 1: 2 is not a finite number from 0 to 1',
    '`c`, value 0: Infinity is not a finite number from 0 to 1',
    'there are 1 clusters for 3 queries; name one for each query',
  ])
  expect(await messageOf(() => compareScores({ a: [1] }))).toEqual(['compare needs two rows or more'])
  expect(await messageOf(() => compareScores({ a: [1, 2], b: [2, 1] }, { baseline: 'bb' }))).toEqual([
    'there is no run `bb` (did you mean "b"?); there are a, b',
  ])
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`r${i}`, [0, 1]]))
  expect(await messageOf(() => compareScores(many, { pairs: true }))).toEqual([
    'at most 20 runs are compared in pairs, not 21: name a baseline instead',
  ])
  const [found] = compareScores({ a: [0, 0, 0, 0], b: [1, 1, 1, 1] }, {
    draws: 50,
    range: { low: 0, high: 1 },
  } as never)
  expect(found).toMatchObject({ name: 'b', baseline: 'a' })
})

test('a report is a file, or one in a folder, and over several datasets one in a folder beside it', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'there'))
  const place = (asked?: string) => reportFile(folder, asked, 'e').slice(folder.length + 1)
  expect([place(), place('x.html'), place('new/'), place('there'), place('none')]).toEqual([
    'reports/e.html',
    'x.html',
    'new/e.html',
    'there/e.html',
    'none',
  ])
  expect(datasetReport('/r/e.html', 'towns')).toBe('/r/e/towns.html')
})

describe('a trial is found', () => {
  const trial = (name: string, more = {}) =>
    ({
      id: `id-${name}`,
      name,
      strategy: name.split(' ')[0],
      before: [],
      after: [],
      merged: [],
      ...more,
    }) as never

  test('among those of a config, also by the name of an equal one', () => {
    const trials = [trial('bm25 k=1'), trial('bm25 k=2'), trial('dense', { merged: ['hybrid alpha=0'] })]
    const found = (name: string) => findTrial(name, trials).name
    expect([found('bm25 k=2'), found('dense'), found('hybrid alpha=0')]).toEqual([
      'bm25 k=2',
      'dense',
      'dense',
    ])
    expect(() => found('bm25')).toThrow('`bm25` matches 2 trials; name one of them:\n  bm25 k=1\n  bm25 k=2')
    expect(() => found('dens')).toThrow(
      'there is no trial `dens` (did you mean "dense"?); there are\n  bm25 k=1\n  bm25 k=2\n  dense',
    )
  })

  test('in a result by its name', () => {
    const summary = { trials: [trial('bm25'), trial('dense')] } as never
    expect(trialNamed('f', summary, 'dense').name).toBe('dense')
    expect(() => trialNamed('f', summary, 'bm2')).toThrow(
      'f: has no trial `bm2` (did you mean "bm25"?); there are bm25, dense',
    )
    const row = (param: string, value: number) => ({
      name: `hybrid ${param}=${value}`,
      strategy: 'hybrid',
      varied: { [param]: value },
    })
    const grid = { trials: [row('alpha', 0.3), row('alpha', 0.5), row('beta', 0.5)] } as never
    expect(trialNamed('f', grid, 'hybrid 0.3').name).toBe('hybrid alpha=0.3')
    expect(() => trialNamed('f', grid, 'hybrid 0.5')).toThrow('f: has no trial `hybrid 0.5`')
    const many = { trials: Array.from({ length: 21 }, (_, i) => trial(`t${i}`)) } as never
    expect(() => trialNamed('f', many, 'zzz')).toThrow(/there are t0, .*, t19$/)
  })
})
