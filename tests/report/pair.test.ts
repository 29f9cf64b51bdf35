import { expect, test } from 'vitest'
import { comparedPair } from '../../src/report/browser/pair.ts'

const link = (params: Record<string, string>) => (name: string) => params[name] ?? ''

test.each([
  [{}, [5, 2]],
  [{ a: '1' }, [1, 2]],
  [{ b: '1' }, [5, 1]],
  [{ a: '2' }, [2, 1]],
  [{ a: '1', b: '5' }, [1, 5]],
  // No trials of this page.
  [{ a: '3', b: 'x' }, [5, 2]],
])('%j compares %j: the best with the baseline, unless a link names trials of the page', (params, pair) => {
  expect(comparedPair({ best: 5, baseline: 2, shape: { trials: [1, 2, 5] } }, link(params))).toEqual(pair)
})

test('an absent param is not trial 0', () => {
  const shape = { trials: [0, 1, 2] }
  expect(comparedPair({ best: 1, baseline: 1, shape }, link({}))).toEqual([1, 0])
  expect(comparedPair({ best: 1, baseline: 1, shape }, link({ a: '0' }))).toEqual([0, 1])
  expect(comparedPair({ best: 1, baseline: 1, shape }, link({ b: '2' }))).toEqual([1, 2])
})

test('trials that the page does not show are not compared', () => {
  const shape = { trials: [0, 1] }
  expect(comparedPair({ best: 7, baseline: null, shape }, link({}))).toEqual([0, 1])
  expect(comparedPair({ best: null, baseline: 7, shape }, link({}))).toEqual([0, 1])
  expect(comparedPair({ best: 0, baseline: 0, shape: { trials: [0] } }, link({}))).toEqual([0, 0])
  expect(comparedPair({ best: null, baseline: null }, link({}))).toEqual([0, 0])
})
