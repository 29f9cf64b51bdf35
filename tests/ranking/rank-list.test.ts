import fc from 'fast-check'
import { expect, it } from 'vitest'
import { append, rankPairs } from '../../src/ranking/order.ts'

const ranking = fc
  .uniqueArray(fc.nat(30), { maxLength: 12 })
  .map((rows) => rankPairs(rows, rows.map(Math.sin), rows.length))

it('appends what only the second list has, strictly below, to depth', () => {
  fc.assert(
    fc.property(ranking, ranking, fc.nat(20), (first, tail, depth) => {
      const { rows, scores } = append(first, tail, depth)
      const count = Math.min(first.rows.length, depth)
      const rest = [...tail.rows].filter((row) => !first.rows.includes(row))
      expect([...rows]).toEqual([...first.rows, ...rest].slice(0, depth))
      expect([...scores.subarray(0, count)]).toEqual([...first.scores.subarray(0, count)])
      for (let place = Math.max(1, count); place < rows.length; place++)
        expect(scores[place]).toBeLessThan(scores[place - 1])
      if (count === 0) expect([...scores]).toEqual([...rows.keys()].map((place) => -(place + 1)))
    }),
  )
})
