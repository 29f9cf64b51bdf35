import { expect, test } from 'vitest'
import { type Gain, gainCell, gainsOf, type Measured, merge } from '../scripts/graphs/gains.ts'

/** Scores of 40 queries: each other query has the second. */
const scores = (even: number, odd: number) =>
  Array.from({ length: 40 }, (_, query) => (query % 2 === 0 ? even : odd))
const measured = (values: Measured['values']): Measured => ({
  ...{ dataset: 'a', embedder: 'lsa', primary: 'recall@5', values },
})

test('a gain is over the strategy’s own arm: title-ppr’s is hybrid, the others’ naive', () => {
  const gains = gainsOf(
    measured({
      naive: scores(0, 0.5),
      hybrid: scores(0.5, 1),
      'title-ppr | none': scores(1, 1),
      'hipporag | rules': scores(0.5, 0.5),
    }),
  )
  const difference = ({ strategy, graph, difference }: Gain) => [strategy, graph, difference]
  expect(gains.map(difference)).toEqual([
    ['title-ppr', 'none', 0.25],
    ['hipporag', 'rules', 0.25],
  ])
  expect(gains.every(({ low, high }) => low < 0.25 && high > 0.25)).toBe(true)
})

test('experiments of one set and embedder are one table, if their arms scored alike', () => {
  const one = measured({ naive: scores(0, 1), 'hipporag | rules': scores(1, 1) })
  const other = measured({ naive: scores(0, 1), 'hipporag | openie': scores(0, 0) })
  expect(Object.keys(merge([one, other]).values)).toEqual(['naive', 'hipporag | rules', 'hipporag | openie'])
  expect(() => merge([one, measured({ naive: scores(1, 1) })])).toThrow('other scores of naive')
})

test('gains that are clear of zero are bold', () => {
  expect(gainCell({ difference: 0.1, low: 0.02, high: 0.18 })).toBe('**+10.0 [+2.0, +18.0]**')
  expect(gainCell({ difference: -0.1, low: -0.21, high: 0.01 })).toBe('−10.0 [−21.0, +1.0]')
  expect(gainCell(undefined)).toBe('')
})
