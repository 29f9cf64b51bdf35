import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openPage } from './page.ts'

let data: typeof import('../../../src/report/browser/data.ts')
let explorer: typeof import('../../../src/report/browser/explore.ts')
beforeAll(async () => {
  await openPage()
  data = await import('../../../src/report/browser/data.ts')
  explorer = await import('../../../src/report/browser/explore.ts')
})
afterAll(() => {
  vi.unstubAllGlobals()
})

describe('blocks', () => {
  test('are inflated as JSON or as numbers of their type', async () => {
    expect((await data.queries()).id).toEqual(['q10', 'q2', 'q1', 'q3', 'q4'])
    expect(await data.numbers('ranks')).toEqual(
      new Uint16Array([3, 0, 0, 2, 0, 4, 5, 6, 7, 1, 1, 1, 0, 9, 0]),
    )
    // Kept after the first time.
    expect(await data.numbers('ranks')).toBe(await data.numbers('ranks'))
  })
})

test('scores by query, NaN for a query that is not judged', async () => {
  expect([...(await data.scoresOf(4, 'recall@5'))]).toEqual([1, 0, Number.NaN, 0.5, Number.NaN])
  expect([...(await data.scoresOf(9, 'recall@5'))]).toEqual([0, 0, Number.NaN, 0.5, 0])
  expect([...(await data.scoresOf(7, 'hits'))]).toEqual([7, 7, 7, 7, 7])
  await expect(data.scoresOf(5, 'hits')).rejects.toThrow('no scores of trial 5 in hits')
  await expect(data.scoresOf(4, 'mrr@10')).rejects.toThrow('no scores of trial 4 in mrr@10')
})

test('results of a trial, in order, without empty ranks', async () => {
  expect(await data.hitsOf(4, 0)).toEqual([
    { text: 1, score: 0.75, hit: false, mark: '' },
    { text: 2, score: 0.5, hit: true, mark: 'hop 1' },
  ])
  expect(await data.hitsOf(9, 1)).toEqual([{ text: 0, score: 0.25, hit: false, mark: '' }])
  expect(await data.hitsOf(4, 4)).toEqual([])
  // Trial 7 is on the page, without its results.
  expect(await data.hitsOf(7, 0)).toBeNull()
})

test('ranks and scores after each step', async () => {
  expect(await data.breakdownOf(4, 0)).toEqual([
    { step: 'dense', ranks: [1, 2], scores: [0.9, 0.8] },
    { step: 'fuse', ranks: [2, 0], scores: [0.5, 0] },
  ])
  expect(await data.breakdownOf(9, 0)).toEqual([])
  expect(await data.breakdownOf(7, 0)).toEqual([])
})

test('walks: starts with their shares, then links', async () => {
  const [ada, mill] = [
    { name: 'Ada', text: -2 },
    { name: 'Mill', text: 1 },
  ]
  expect(await data.walksOf(9, 1)).toEqual([
    {
      step: 'walk',
      links: [
        { from: null, to: ada, share: 0.5 },
        { from: ada, to: mill, share: null },
        // A share of zero is one.
        { from: null, to: mill, share: 0 },
      ],
    },
  ])
  expect(await data.walksOf(4, 0)).toEqual([])
})

describe('the query explorer', () => {
  test('searches ids, questions and gold passages', async () => {
    const { searched } = await explorer.explore(4, 7)
    expect(searched).toEqual([
      'q10 who sells salt? ada ada sells honey. mill a mill.',
      'q2 who rules? bridge of iron.',
      'q1 which craft?',
      'q3 which salt road?',
      'q4 why?',
    ])
  })

  const ALL = { text: '', category: '', outcome: '', arm: '', order: '' }
  test.each([
    [{}, 'q1 q2 q3 q4 q10'],
    [{ text: 'SALT' }, 'q3 q10'],
    [{ text: '  salt   honey ' }, 'q10'],
    [{ text: 'q1' }, 'q1 q10'],
    [{ category: 'fact' }, 'q1 q10'],
    [{ arm: 'length: short' }, 'q2 q4 q10'],
    [{ arm: 'length: none' }, ''],
    [{ outcome: 'failed' }, 'q1 q2'],
    // A query that only one trial is judged on differs.
    [{ outcome: 'differs' }, 'q2 q4 q10'],
    [{ outcome: 'better' }, 'q10'],
    [{ outcome: 'worse' }, 'q2'],
    [{ outcome: 'tied' }, 'q3'],
    [{ outcome: 'fallback' }, 'q1 q10'],
    [{ order: 'difference' }, 'q2 q10 q1 q3 q4'],
    [{ category: 'bridge', outcome: 'worse' }, 'q2'],
  ])('%j shows %s', async (wanted, ids) => {
    const exploration = await explorer.explore(4, 7)
    const found = explorer.filtered(exploration, { ...ALL, ...wanted })
    expect(found.map((query) => exploration.queries.id[query]).join(' ')).toBe(ids)
  })
})
