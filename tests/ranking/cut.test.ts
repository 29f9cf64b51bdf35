import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutToBudget, pollWeighted } from '../../src/ranking/cut.ts'

test('rows fit while their tokens do, to the last token, and nothing stands behind one that does not', () => {
  const costs = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 })
  fc.assert(
    fc.property(costs, fc.nat(30), (tokens, budget) => {
      const spent = (n: number) => tokens.slice(0, n).reduce((sum, size) => sum + size, 0)
      const fitting = [...tokens.keys()].filter((row) => spent(row + 1) <= budget)
      expect(cutToBudget([...tokens.keys()], (row) => tokens[row], budget)).toEqual({
        rows: fitting,
        tokens: spent(fitting.length),
      })
    }),
  )
})

test.each([
  ['one owner gives the most', ['abcd'], 3, 'abc'],
  ['3, 2 and 1', ['abcd', 'efgh', 'ijkl'], 3, 'abcefi'],
  ['what one leaves over goes to the first that has more', ['abcd', 'e', 'fg'], 3, 'abcefd'],
  ['more is left over than anybody has', ['ab', 'c', 'd'], 5, 'abcd'],
  ['left over for two', ['abcd', '', 'efg'], 3, 'abcedf'],
  // 1.5 is rounded to 2, and 2.5 to 2.
  ['half to even, up', ['abc', 'def', 'ghi'], 2, 'abdeg'],
  ['half to even, down', ['abcd', 'efgh', 'ijkl'], 4, 'abcdefi'],
  // 3.67 and 2.33.
  ['to the nearest', ['abcde', 'fghij', 'klmno', 'pqrst'], 5, 'abcdefghiklp'],
  ['no owner', [], 5, ''],
])('weighted polling down to 1: %s', (_, owners, most, picked) => {
  expect(
    pollWeighted(
      owners.map((text) => [...text]),
      most,
      1,
    ).join(''),
  ).toBe(picked)
})
