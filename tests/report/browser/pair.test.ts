import { expect, test } from 'vitest'
import { comparedPair } from '../../../src/report/browser/pair.ts'

const TRIALS = [4, 7, 9]

test.each<[string, number | null, number | null, readonly number[] | undefined, object, [number, number]]>([
  ['the best and the baseline', 4, 7, TRIALS, {}, [4, 7]],
  ['the trials of the link', 4, 7, TRIALS, { a: '9', b: '4' }, [9, 4]],
  ['one of the link, and the baseline', 4, 7, TRIALS, { a: '9' }, [9, 7]],
  ['the best and one of the link', 4, 7, TRIALS, { b: '9' }, [4, 9]],
  ['no trial that the page does not show', 4, 7, TRIALS, { a: '5', b: 'x' }, [4, 7]],
  ['no trial 0 for an empty param', 7, 4, [0, 4, 7], { a: '', b: '' }, [7, 4]],
  ['trial 0, if the link names it', 7, 4, [0, 4, 7], { a: '0' }, [0, 4]],
  ['the first, without a best', null, 7, TRIALS, {}, [4, 7]],
  ['the first, if the best is not shown', 5, 7, TRIALS, {}, [4, 7]],
  ['the best and the first other, if it is the baseline itself', 7, 7, TRIALS, {}, [7, 4]],
  ['the best and the first other, without a baseline', 4, null, TRIALS, {}, [4, 7]],
  ['the best and the first other, if the baseline is not shown', 4, 5, TRIALS, {}, [4, 7]],
  ['the only one twice', 4, 4, [4], {}, [4, 4]],
  ['the first trial on a page without any', 3, 2, undefined, {}, [0, 0]],
])('a page compares %s', (_, best, baseline, trials, params, pair) => {
  const param = (name: string) => (params as Record<string, string>)[name] ?? ''
  expect(comparedPair({ best, baseline, shape: trials && { trials } }, param)).toEqual(pair)
})
