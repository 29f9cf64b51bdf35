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
