import { describe, expect, test } from 'vitest'
import { equalTrials, mergedInWords } from '../../../src/experiment/plan/equal-trials.ts'
import { portable, portableTrial } from '../../../src/experiment/plan/portable.ts'
import { queryErrors } from '../../../src/experiment/plan/query-errors.ts'

describe('equal trials', () => {
  const trials = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: `trial ${id}` })) as never[]
  const compiled = [
    { name: 'trial a', merged: ['c', 'd'] },
    { name: 'trial b', merged: [] },
  ] as never[]

  test('are named by the trial that is computed', () => {
    expect(equalTrials({ trials }, compiled)).toEqual([{ name: 'trial a', equal: ['trial c', 'trial d'] }])
  })

  test('are counted', () => {
    const words = (computed: number) => mergedInWords({ trials }, compiled.slice(0, computed))
    expect(words(2)).toEqual(['4 trials, 2 of them equal to another: 2 are computed'])
    expect(words(1)).toEqual(['4 trials, 3 of them equal to another: 1 is computed'])
    expect(mergedInWords({ trials: trials.slice(0, 2) }, compiled)).toEqual([])
  })
})

describe('a trial of a config in a folder', () => {
  test('has paths relative to it', () => {
    const value = { path: '/data/runs/a.trec', list: ['/data/b', 'c/d', 3], none: null, deep: { at: '/x' } }
    expect(portable(value, '/data/configs/a.yaml')).toEqual({
      path: '../runs/a.trec',
      list: ['../b', 'c/d', 3],
      none: null,
      deep: { at: '../../x' },
    })
    const file = { path: '/data/own.mjs', sha256: 'x' }
    const trial = {
      id: 'a',
      strategy: '/data/own.mjs',
      params: { path: '/data/a' },
      varied: { path: '/data/a' },
      before: [{ name: 'mine', params: { at: '/data/b' }, file }],
      after: [{ name: 'rerank', params: {} }],
    }
    expect(portableTrial(trial as never, '/data/a.yaml')).toEqual({
      id: 'a',
      strategy: 'own.mjs',
      params: { path: 'a' },
      varied: { path: 'a' },
      before: [{ name: 'mine', params: { at: 'b' }, file: { ...file, path: 'own.mjs' } }],
      after: [{ name: 'rerank', params: {} }],
    })
  })
})

describe('a config and the queries', () => {
  const query = (metadata: object, category: string | null = null) => ({ metadata, category })
  const QUERIES = [query({ year: 1, topic: 'a' }), query({}, 'fact')]
  const at = (line: number) => ({ file: 'a.yaml', line, column: 1 })
  const filter = (field: string, line = 3) => ({
    filter: { where: { x: { query: field } } },
    location: at(line),
  })
  const errors = (given: object, queries: object[] = QUERIES) =>
    queryErrors({ trials: [], compare: {}, file: 'a.yaml', ...given } as never, { queries } as never)

  test('that fit have no errors', () => {
    const fit = { trials: [filter('year'), { location: at(2) }] }
    for (const cluster of ['gold', 'document', 'category', 'topic', undefined])
      expect(errors({ ...fit, compare: { cluster } })).toEqual([])
    // Without queries nothing can be told.
    expect(errors({ trials: [filter('none')] }, [])).toEqual([])
  })

  test('a filter reads a field that the queries have', () => {
    const message =
      '`filter`: no query has `topc` in its metadata (did you mean "topic"?); there are topic, year'
    expect(errors({ trials: [filter('topc'), filter('topc'), filter('topc', 9)] })).toEqual([
      { ...at(3), message },
      { ...at(9), message },
    ])
    expect(errors({ trials: [filter('topc')] }, [query({}, 'fact')])).toEqual([
      { ...at(3), message: '`filter`: no query has `topc` in its metadata; they have none' },
    ])
  })

  test('a cluster is a field that a query has', () => {
    expect(errors({ compare: { cluster: 'topc' } })).toEqual([
      {
        file: 'a.yaml',
        message:
          '`compare.cluster`: no query has `topc` (did you mean "topic"?); there are gold, document, category, topic, year',
      },
    ])
    expect(errors({ compare: { cluster: 'category' } }, [query({ topic: 'a' })])[0].message).toBe(
      '`compare.cluster`: no query has `category`; there are gold, document, topic',
    )
  })
})
