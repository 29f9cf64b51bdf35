import fc from 'fast-check'
import { expect, it } from 'vitest'
import { align } from '../../src/ranking/fuse.ts'
import { rankPairs } from '../../src/ranking/order.ts'

it('tells where each ranking holds each row of their union', () => {
  const ranking = fc
    .uniqueArray(fc.nat(40), { maxLength: 20 })
    .map((rows) => rankPairs(rows, rows.map(Math.sin), rows.length))
  fc.assert(
    fc.property(fc.array(ranking, { maxLength: 4 }), (rankings) => {
      const { rows, indexes } = align(rankings)
      expect([...rows].sort()).toEqual([...new Set(rankings.flatMap((one) => [...one.rows]))].sort())
      rankings.forEach((one, list) => {
        expect([...indexes[list]]).toEqual([...rows].map((row) => one.rows.indexOf(row)))
      })
    }),
  )
})
