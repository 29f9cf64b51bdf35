import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutToBudget } from '../../src/ranking/cut.ts'

test('rows fit while their tokens do, to the last token, and nothing stands behind one that does not', () => {
  const costs = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 })
  fc.assert(
    fc.property(costs, fc.nat(30), (tokens, budget) => {
      const spent = (n: number) => tokens.slice(0, n).reduce((sum, one) => sum + one, 0)
      const fitting = [...tokens.keys()].filter((row) => spent(row + 1) <= budget)
      expect(cutToBudget([...tokens.keys()], (row) => tokens[row], budget)).toEqual({
        rows: fitting,
        tokens: spent(fitting.length),
      })
    }),
  )
})
